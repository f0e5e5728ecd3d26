// Disjoint sets: what is joined pair by pair belongs together, and each set is known by the smallest of its members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace quadrille {

class DisjointSets {
 public:
  /// Each member alone.
  explicit DisjointSets(size_t members) : parent_(members), count_(members) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  /// The smallest of those that it belongs to.
  [[nodiscard]] uint32_t of(uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void join(uint32_t k, uint32_t l) {
    k = of(k);
    l = of(l);
    if (k == l) return;
    parent_[std::max(k, l)] = std::min(k, l);
    --count_;
  }
  [[nodiscard]] size_t count() const { return count_; }
  [[nodiscard]] size_t members() const { return parent_.size(); }

 private:
  std::vector<uint32_t> parent_;
  size_t count_;
};

}  // namespace quadrille
