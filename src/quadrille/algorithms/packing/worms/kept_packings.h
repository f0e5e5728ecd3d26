// Kept packings: rounds of worms that were packed before, on the same network.
//
// Collectives, pieces, fewer ports and whoever lends ask for the same rounds again and again: half to three quarters of
// those that a question packs on 16 nodes have been packed before. Ports that no rank has more worms for are no difference.
//
//     KeptPackings packings(problem);
//     const auto packed = packings.packed(worms, budget);   // whoever asked first
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The worms of each step, and the path of each worm.
struct PackedWorms {
  std::vector<std::vector<uint32_t>> steps{};
  std::vector<ArcId> arcs{};
  std::vector<size_t> path_ends{0};

  [[nodiscard]] std::span<const ArcId> path(uint32_t worm) const {
    return std::span(arcs).subspan(path_ends[worm], path_ends[worm + 1] - path_ends[worm]);
  }
};

class KeptPackings {
 public:
  /// The problem must outlive it. Of more than 64 ranks nothing is kept.
  explicit KeptPackings(const Problem& problem);

  /// WormPacking::pack with that budget.
  [[nodiscard]] std::shared_ptr<const PackedWorms> packed(const std::vector<WormPacking::Worm>& worms,
                                                          uint64_t budget);

 private:
  class Store;

  [[nodiscard]] PackedWorms pack(const std::vector<WormPacking::Worm>& worms, uint64_t budget);

  const Problem& problem_;
  std::shared_ptr<Store> store_;
  std::optional<WormPacking> packing_;  // once one is needed
};

}  // namespace quadrille
