// A round over shared links in which blocks come to more ranks: each from one that has it, over ways that burden links evenly.
//
// One block after another looks for shortest ways from all that have it at once, where a link is the longer the more blocks it
// carries already, beside what all links will carry in the mean. So a rank is served by the nearest holder, by another one where
// the links from there are in less use, and few links carry much more than the mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class SharedRound {
 public:
  /// A block's holders and those who are to get it, ranks both.
  struct Spread {
    uint32_t block;
    std::span<const uint32_t> holders;
    std::span<const uint32_t> wanting;
  };

  /// Ways for all of them. What takes the same way is one message.
  SharedRound(const Topology& topology, std::span<const Spread> spreads);

  [[nodiscard]] size_t num_messages() const { return path_ends_.size() - 1; }
  [[nodiscard]] std::span<const ArcId> path(size_t message) const {
    return std::span(arcs_).subspan(path_ends_[message], path_ends_[message + 1] - path_ends_[message]);
  }
  [[nodiscard]] std::span<const uint32_t> blocks(size_t message) const {
    return std::span(blocks_).subspan(block_ends_[message], block_ends_[message + 1] - block_ends_[message]);
  }
  /// Blocks that the busiest link carries, a link of capacity c so many at once.
  [[nodiscard]] uint64_t busiest() const { return busiest_; }
  /// Links of the longest way.
  [[nodiscard]] uint64_t longest() const { return longest_; }

 private:
  std::vector<ArcId> arcs_;
  std::vector<size_t> path_ends_{0};
  std::vector<uint32_t> blocks_;
  std::vector<size_t> block_ends_{0};
  uint64_t busiest_ = 0;
  uint64_t longest_ = 0;
};

}  // namespace quadrille
