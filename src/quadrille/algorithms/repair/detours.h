// Detours: new paths for the blocks that a fault has hit, over living arcs, such that no arc gets much more than it has room for.
//
// Every path is one of some that are drawn at random among the shortest ones left, or with one step aside first. The price of
// an arc rises steeply with what is sent over it in proportion to its room, so that paths part around the fault; a block that
// has a path keeps it unless another is cheaper in the state that it would leave.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/repair/hit_blocks.h"
#include "quadrille/algorithms/repair/living_part.h"
#include "quadrille/base/random.h"

namespace quadrille {

struct Detours {
  std::vector<size_t> begin{
      0};  ///< of each block's path, in the order of HitBlocks::moved; one more at the end
  std::vector<ArcId> arcs;

  [[nodiscard]] std::span<const ArcId> path(size_t i) const {
    return std::span<const ArcId>(arcs).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// `room[arc]` is what an arc carries at no great price.
[[nodiscard]] Detours find_detours(const LivingPart& part, std::span<const BlockId> moved,
                                   std::span<const float> room, uint32_t passes, Rng& rng);

/// The same blocks once more, each offered the cheapest of all ways, however long: what is drawn among the shortest ones stays near
/// the fault, where a wider arc costs two hops and relieves the links that everybody wants. Takes a search for each destination.
[[nodiscard]] Detours balance_detours(const LivingPart& part, std::span<const BlockId> moved,
                                      std::span<const float> room, const Detours& before);

}  // namespace quadrille
