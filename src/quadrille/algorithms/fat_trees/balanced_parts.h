// Balanced parts: all pairs (u, v), u and v below m, each some times over, are cut into parts of equal size,
// so that each block of u's, and each block of v's, is spread evenly over the parts.
//
// Blocks are nested: of sizes b_1 = 1, b_2, .., m, each a multiple of the one before, from 0 on. If pairs are
// messages between two subtrees of a fat tree, parts are steps, and blocks are what lies below a branch, then
// no branch carries more in any step than it must.
//
//     BalancedParts parts({1, 2, 4}, 3, 5);       // 48 pairs in 5 parts
//     while (parts.left() > 0) use(parts.next()); // 9 or 10 pairs each; 4 or 5 of them with u in {0, 1}
//
// A part is an integral flow: from the block of all u's through smaller and smaller blocks to each u, over a
// pair to v, and through larger and larger blocks to that of all v's. Sending each pair's r-th part, where r
// parts are left, would be even, so there is a flow with every bound rounded down and up, and also an
// integral one (the blocks are two laminar families).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {

class BalancedParts {
 public:
  struct Pair {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t copy = 0;
  };

  /// The last of the block sizes is m.
  BalancedParts(std::vector<uint32_t> block_sizes, uint32_t copies, uint64_t parts);

  [[nodiscard]] uint64_t left() const { return left_; }
  /// The next part; from its 0th to its last they end where (total * part) / parts does, rounded down.
  [[nodiscard]] std::vector<Pair> next();

 private:
  [[nodiscard]] uint32_t& remaining(uint32_t from, uint32_t to) {
    return remaining_[size_t{from} * block_sizes_.back() + to];
  }

  std::vector<uint32_t> block_sizes_;
  uint64_t parts_;
  uint64_t left_;
  uint64_t total_;
  uint64_t taken_ = 0;
  std::vector<uint32_t> remaining_;  // per pair
};

}  // namespace quadrille
