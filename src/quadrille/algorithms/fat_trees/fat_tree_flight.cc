#include "quadrille/algorithms/fat_trees/fat_tree_flight.h"

#include <algorithm>

namespace quadrille {

FatTreeFlight::FatTreeFlight(const FatTree& tree, StepSink& sink)
    : tree_(tree), sink_(sink), departed_(size_t{2} * tree.height()) {}

void FatTreeFlight::depart(uint32_t level, uint32_t from, uint32_t to) {
  departed_[step_ % departed_.size()].push_back({level, from, to});
  last_landing_ = std::max(last_landing_, step_ + 2 * uint64_t{level});
}

void FatTreeFlight::end_step() {
  arcs_.clear();
  blocks_.clear();
  const uint32_t n = tree_.leaves();
  for (uint32_t hop = 0; hop < departed_.size() && hop <= step_; ++hop) {
    for (const Message& m : departed_[(step_ - hop) % departed_.size()]) {
      if (hop >= 2 * m.level) continue;
      arcs_.push_back(hop < m.level ? tree_.up(hop, m.from) : tree_.down(2 * m.level - 1 - hop, m.to));
      blocks_.push_back(BlockId{m.from * n + m.to});
    }
  }
  StepView view;
  view.all_arcs = arcs_;
  view.all_blocks = blocks_;
  sink_.push(view);
  ++step_;
  departed_[step_ % departed_.size()].clear();
}

void FatTreeFlight::end_steps(uint64_t steps) {
  for (; steps > 0; --steps) end_step();
}

void FatTreeFlight::land() {
  while (step_ < last_landing_) end_step();
}

}  // namespace quadrille
