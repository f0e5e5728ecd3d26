// Worm plan: who sends worms where, step by step, before there are links and blocks.
//
// A worm is a place and one signed number of hops for each dimension. A plan says where what the root has
// goes: a broadcast copies the block along all worms, a scatter sends with each worm the blocks of all places
// that hear through it. In circular dimensions coordinates are relative to the root, in rows they are the
// nodes' own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/patterns/worm_grid.h"
#include "quadrille/schedule/step.h"

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

/// Where the root of a problem is in the coordinates of its plans: 0 in circular dimensions.
[[nodiscard]] std::vector<uint32_t> root_position(const Problem& problem, const WormGrid& grid);
[[nodiscard]] uint32_t root_place(const Problem& problem, const WormGrid& grid);

/// The plan without worms to places that know already, or hear in the same step from an earlier worm, and
/// without steps in which nothing is left. Every worm must start where the message is.
[[nodiscard]] WormPlan without_repeats(const GridShape& shape, uint32_t root, const WormPlan& plan);

/// No worm goes the long way round a circle.
[[nodiscard]] bool is_minimal(const GridShape& shape, const WormPlan& plan);

/// What a plan without repeats will measure as a broadcast or a scatter.
[[nodiscard]] Claim claim_of(const Problem& problem, const WormGrid& grid, const WormPlan& plan);
/// A plan without repeats as a broadcast, or as a scatter, from the problem's root.
void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& plan, StepSink& sink);

/// Wormhole switching, links that carry both ways at once, and as many ports as links.
[[nodiscard]] Applicability all_port_worms(const Problem& problem);
/// And a torus or a mesh.
[[nodiscard]] Applicability all_port_worm_grid(const Problem& problem);

}  // namespace quadrille
