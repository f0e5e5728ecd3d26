#include "quadrille/algorithms/placed_ranks/routed/rounds_meter.h"

#include <algorithm>
#include <set>

namespace quadrille {

void RoundsMeter::push(const StepView& step) {
  uint64_t most = 0;
  uint64_t farthest = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    farthest = std::max<uint64_t>(farthest, step.arcs(t).size());
    for (const ArcId arc : step.arcs(t)) {
      load_[index(arc)] += step.blocks(t).size();
      most = std::max(most, (load_[index(arc)] - 1) / topology_.capacity(arc) + 1);
    }
  }
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t)) load_[index(arc)] = 0;
  out_.steps = *out_.steps + 1;
  out_.start_ups = *out_.start_ups + (step.size() > 0 ? 1 : 0);
  out_.critical_blocks = *out_.critical_blocks + most;
  out_.critical_hops = *out_.critical_hops + farthest;
  if (out_.further_messages) out_.further_messages = *out_.further_messages + further_messages(step);
  sink_.push(step);
}

uint64_t RoundsMeter::further_messages(const StepView& step) {
  std::set<std::vector<ArcId>> paths;
  std::vector<uint64_t> at_node(2 * size_t{topology_.num_nodes()}, 0);
  uint64_t most = 1;
  for (size_t t = 0; t < step.size(); ++t) {
    const auto arcs = step.arcs(t);
    if (!paths.emplace(arcs.begin(), arcs.end()).second) continue;
    most = std::max({most, ++at_node[2 * index(topology_.tail(arcs.front()))],
                     ++at_node[2 * index(topology_.head(arcs.back())) + 1]});
  }
  return most - 1;
}

}  // namespace quadrille
