// StabiliserChain: the group that permutations generate, known without listing it.
//
//     const StabiliserChain chain(4, {{1, 0, 2, 3}, {1, 2, 3, 0}});
//     chain.order()              // 24
//     chain.elements(24)         // all of them in lexicographic order, 4 bytes each
//
// Level i holds those that leave 0 .. i-1 in place, as one representative for each place to which they take
// i; every element is a product of one representative a level, in one way. So the order is a product of at
// most 64 small numbers, found with a few thousand multiplications where listing takes millions (Sims 1970,
// in the form of Knuth, "Efficient representation of perm groups", 1991).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/cayley/permutation_group.h"

namespace quadrille {

class StabiliserChain {
 public:
  /// Stops as soon as the order is known to exceed `limit`.
  StabiliserChain(uint32_t points, const std::vector<Permutation>& generators, uint64_t limit = UINT64_MAX);

  /// The number of elements; a lower bound above the limit where that is exceeded.
  [[nodiscard]] uint64_t order() const { return order_; }
  /// All elements in lexicographic order of their one-line notation, `points` bytes each. The order must not
  /// have exceeded the limit.
  [[nodiscard]] std::vector<uint8_t> elements() const;

 private:
  struct Level {
    std::vector<Permutation> generators;
    std::vector<std::optional<Permutation>> to;  ///< by place: takes i there, and leaves 0 .. i-1
    uint32_t orbit = 1;
  };

  [[nodiscard]] bool contains(uint32_t level, Permutation p) const;
  void add_generator(uint32_t level, const Permutation& p);
  void add_product(uint32_t level, const Permutation& p);
  void list(uint32_t level, const Permutation& prefix, std::vector<uint8_t>& out) const;

  uint32_t points_;
  uint64_t limit_;
  std::vector<Level> levels_;
  uint64_t order_ = 1;
};

}  // namespace quadrille
