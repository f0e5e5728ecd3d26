// Pareto fronts of (start-ups, blocks): what is left of many candidates when those are dropped that another
// one beats in both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "quadrille/algorithms/worm_exchange/worm_ring.h"

namespace quadrille {

/// Keeps those with a `cost` (a WormCost) that no other one reaches, by rising start-ups; of equals the
/// first.
template <typename Candidate>
void keep_front(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.cost.start_ups != b.cost.start_ups ? a.cost.start_ups < b.cost.start_ups
                                                : a.cost.blocks < b.cost.blocks;
  });
  uint64_t least = UINT64_MAX;
  std::erase_if(candidates, [&least](const Candidate& c) {
    if (c.cost.blocks >= least) return true;
    least = c.cost.blocks;
    return false;
  });
}

/// A ring schedule without its blocks.
struct RingOption {
  RingRecipe recipe{};
  WormCost cost{};
  std::vector<uint32_t> loads{};    ///< the largest worm of each phase
  std::vector<uint32_t> lengths{};  ///< and the links of the longest one
};

[[nodiscard]] RingOption ring_option(uint32_t length, const RingRecipe& recipe);

/// The front of the whole family: trees and rotations over wrapped and even levels, with every number of
/// rotating nodes up to 32 and sixteen in each octave beyond (on more than 256 nodes, two); direct exchange
/// up to 24 nodes; whatever has been found by search.
[[nodiscard]] std::vector<RingOption> ring_front(uint32_t length);

}  // namespace quadrille
