// Total exchange of worms over hubs: few start-ups, paid for in blocks. Tori of two dimensions or more whose sides are
// multiples of a power of two.
//
// H_l are the nodes whose coordinates add up to a multiple of 2^l: every line has one on every 2^l-th place, in each
// dimension, so that each node of H_l has 2^l links of its own ahead and behind it on all of its lines. Whatever all of
// H_l do at once over that distance is free of contention. With hubs a = 2^k apart:
//
//   levels l = 0 .. k-1   for each dimension j but the first a hop: blocks whose target is an odd number of 2^l away in j
//                         go 2^l down the first dimension and 2^l up j, from H_l to H_l; then a gathering: who is in H_l
//                         and not in H_(l+1) gives all to the next, 2^l up the first dimension
//   rings                 dimension after dimension a ring schedule among the side/a hubs of every line (worm_ring.h):
//                         then a block is at its target's coordinates but the first, and at most a-1 before that
//   scattering            k phases up the first dimension, the gathering backwards
//
// Rings use one dimension of each line at a time, so there is room for two classes of hubs: those of H_k whose
// coordinates add up to an even multiple of 2^k go through the first dimension while the others go through the second.
// Then hubs of a class are a = 2^(k+1) apart after k gatherings: level k has its hops and its scattering, and no gathering.
// That halves what a hub has to carry, for one start-up less than another level takes.
//
// In D dimensions (D+1) k start-ups and those of D rings, and D more with two classes. On 2^d x 2^d with rings of 8 it is
// 3(d-1), as many as T-2D1 has, on 2^d x 2^d x 2^d 4d-3, one less than T-3D1; with two classes 3d-4 and 4d-4. Level l costs
// 2^l N/2 blocks a hop, and nearly 2^l N to gather and to scatter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/worm_exchange/worm_ring.h"

namespace quadrille {

struct HubMember {
  uint32_t apart = 2;               ///< hubs of a class on a line: a power of two that divides all sides
  uint32_t classes = 1;             ///< or 2
  std::vector<RingRecipe> rings{};  ///< by dimension
  WormCost cost{};
  uint64_t hops = 0;  ///< links of the longest worm of each phase, added up

  /// "hubs8/found3": the rings once if they are the same. "hubs8x2/found3": of two classes.
  [[nodiscard]] std::string name() const;
};

/// What it costs, exactly.
[[nodiscard]] WormCost hub_exchange_cost(const TorusShape& torus, const HubMember& member);

/// Links of the longest worm of each phase, added up.
[[nodiscard]] uint64_t hub_exchange_hops(const TorusShape& torus, const HubMember& member);

/// Every distance and the rings worth having with it; none that another reaches in both figures.
[[nodiscard]] std::vector<HubMember> hub_members(const TorusShape& torus);

void hub_exchange(const Problem& problem, const HubMember& member, StepSink& sink);

}  // namespace quadrille
