// Worm plan: who sends worms where, step by step, before there are links and blocks.
//
// A worm is a place and one signed number of hops for each dimension. In circular dimensions coordinates are
// relative to the root, in rows they are the nodes' own. worm_broadcast/worm_messages.h makes steps of a
// plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_grid.h"

namespace quadrille {

/// Simultaneous worms, stored flat.
class WormStep {
 public:
  explicit WormStep(size_t dimensions) : dimensions_(dimensions) {}

  [[nodiscard]] size_t size() const { return sources_.size(); }
  [[nodiscard]] uint32_t source(size_t worm) const { return sources_[worm]; }
  [[nodiscard]] std::span<const int32_t> hops(size_t worm) const {
    return std::span(hops_).subspan(worm * dimensions_, dimensions_);
  }
  void add(uint32_t source, std::span<const int32_t> hops);

 private:
  size_t dimensions_;
  std::vector<uint32_t> sources_;
  std::vector<int32_t> hops_;  // dimensions_ a worm
};

using WormPlan = std::vector<WormStep>;

/// The plan without worms to places that know already, or hear in the same step from an earlier worm, and
/// without steps in which nothing is left. Every worm must start where the message is.
[[nodiscard]] WormPlan without_repeats(const GridShape& shape, uint32_t root, const WormPlan& plan);

/// No worm goes the long way round a circle.
[[nodiscard]] bool is_minimal(const GridShape& shape, const WormPlan& plan);

/// The same worms on the grid with its dimensions in reverse order; `shape` is the plan's.
[[nodiscard]] WormPlan with_dimensions_reversed(const GridShape& shape, const WormPlan& plan);

}  // namespace quadrille
