#include "quadrille/compile/lending/worms_with_room.h"

#include <fmt/format.h>

#include <map>

#include "quadrille/base/input_error.h"

namespace quadrille {

WormsWithRoom::WormsWithRoom(const Problem& problem, StepSink& to)
    : problem_(problem), to_(to), names_(problem), used_(problem.topology().num_arcs(), 0) {}

void WormsWithRoom::push(const StepView& given) {
  const StepView step = names_.with_names(given);
  bool is_crowded = false;
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t))
      is_crowded = ++used_[index(arc)] > problem_.topology().capacity(arc) || is_crowded;
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t)) used_[index(arc)] = 0;
  if (is_crowded) {
    push_merged(step);
  } else {
    to_.push(step);
  }
}

void WormsWithRoom::push_merged(const StepView& step) {
  // Of each arc its messages, by the first that a later one goes with.
  std::map<ArcId, std::vector<size_t>> on_arc;
  std::vector<std::vector<BlockId>> carried(step.size());
  for (size_t t = 0; t < step.size(); ++t) {
    const ArcId arc = step.arcs(t).front();
    std::vector<size_t>& messages = on_arc[arc];
    size_t with = t;
    if (messages.size() == problem_.topology().capacity(arc)) {
      for (const size_t m : messages) {
        if (step.op(m) != step.op(t) || !(step.slots_of(m) == step.slots_of(t))) continue;
        if (with == t || carried[m].size() < carried[with].size()) with = m;
      }
    }
    if (with == t) messages.push_back(t);
    if (messages.size() > problem_.topology().capacity(arc)) {
      throw InputError(fmt::format(
          "--algorithm: packets(..) is no plan for {}: sums go both up and down over one link at a time, and worms have it for themselves",
          problem_.title()));
    }
    carried[with].insert(carried[with].end(), step.blocks(t).begin(), step.blocks(t).end());
  }
  StepBuilder merged;
  for (size_t t = 0; t < step.size(); ++t)
    if (!carried[t].empty()) merged.add(step.arcs(t), carried[t], step.op(t), step.slots_of(t));
  merged.flush(to_);
}

}  // namespace quadrille
