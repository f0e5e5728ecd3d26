#include "quadrille/schedule/plan.h"

#include <algorithm>

#include "quadrille/base/memory/large_growth.h"

namespace quadrille {
namespace {

template <typename T>
void append(std::vector<T>& to, std::span<const T> items) {
  make_room(to, items.size());
  to.insert(to.end(), items.begin(), items.end());
}

template <typename T>
std::span<const T> slice(const std::vector<T>& all, uint64_t begin, uint64_t end) {
  return std::span<const T>(all).subspan(begin, end - begin);
}

bool same_step(const StepView& a, const StepView& b) {
  if (a.size() != b.size()) return false;
  for (size_t t = 0; t < a.size(); ++t) {
    if (!std::ranges::equal(a.arcs(t), b.arcs(t)) || !std::ranges::equal(a.blocks(t), b.blocks(t)) ||
        a.op(t) != b.op(t) || a.slots_of(t) != b.slots_of(t)) {
      return false;
    }
  }
  return true;
}

}  // namespace

// A step that takes the links of the one before, in the same order, has theirs: where all links are busy all the time, a plan
// takes half the memory.
void Plan::push(const StepView& step) {
  const bool unit = step.is_unit();
  const bool again = unit && !steps_.empty() && steps_.back().unit &&
                     std::ranges::equal(this->step(steps_.size() - 1).all_arcs, step.all_arcs);
  steps_.push_back({again ? steps_.back().arc : arcs_.size(), blocks_.size(), arcs_end_.size(), ops_.size(),
                    slots_.size(), unit, !step.ops.empty(), !step.slots.empty()});
  if (!again) append(arcs_, step.all_arcs);
  append(blocks_, step.all_blocks);
  append(ops_, step.ops);
  append(slots_, step.slots);
  if (unit) return;
  append(arcs_end_, step.arcs_end);
  append(blocks_end_, step.blocks_end);
}

void Plan::clear() {
  steps_.clear();
  arcs_.clear();
  arcs_end_.clear();
  blocks_.clear();
  blocks_end_.clear();
  ops_.clear();
  slots_.clear();
}

uint64_t Plan::num_transfers() const {
  uint64_t total = 0;
  for (size_t s = 0; s < steps_.size(); ++s) total += step(s).size();
  return total;
}

StepView Plan::step(size_t s) const {
  const StepStart& from = steps_[s];
  const bool last = s + 1 == steps_.size();
  const StepStart to =
      last ? StepStart{arcs_.size(), blocks_.size(), arcs_end_.size(), ops_.size(), slots_.size(), false,
                       false,        false}
           : steps_[s + 1];
  StepView view;
  const uint64_t hops = from.unit ? to.block - from.block : to.end == from.end ? 0 : arcs_end_[to.end - 1];
  view.all_arcs = slice(arcs_, from.arc, from.arc + hops);
  view.all_blocks = slice(blocks_, from.block, to.block);
  if (from.has_ops) view.ops = slice(ops_, from.op, to.op);
  if (from.has_slots) view.slots = slice(slots_, from.slots, to.slots);
  if (!from.unit) {
    view.arcs_end = slice(arcs_end_, from.end, to.end);
    view.blocks_end = slice(blocks_end_, from.end, to.end);
  }
  return view;
}

void Plan::replay(StepSink& sink) const {
  for (size_t s = 0; s < num_steps(); ++s) sink.push(step(s));
}

bool operator==(const Plan& a, const Plan& b) {
  if (a.num_steps() != b.num_steps()) return false;
  for (size_t s = 0; s < a.num_steps(); ++s) {
    if (!same_step(a.step(s), b.step(s))) return false;
  }
  return true;
}

}  // namespace quadrille
