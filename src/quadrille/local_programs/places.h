// Places: where a node stands on a line or a ring, for the rules that count along it.
//
// A node knows its own place, and can tell the place of any rank, because messages name ranks. Where ranks
// are numbered along the line there is nothing to keep; otherwise that takes a table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

class Places {
 public:
  /// Of nodes in their order along the line.
  explicit Places(std::span<const NodeId> order) : size_(static_cast<uint32_t>(order.size())) {
    bool in_order = true;
    for (uint32_t i = 0; i < size_; ++i) in_order = in_order && index(order[i]) == i;
    if (in_order) return;
    place_.resize(size_);
    for (uint32_t i = 0; i < size_; ++i) place_[index(order[i])] = i;
  }

  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] uint32_t of(Rank rank) const {
    return place_.empty() ? static_cast<uint32_t>(index(rank)) : place_[index(rank)];
  }
  [[nodiscard]] uint32_t of(NodeId node) const { return of(id_at<Rank>(index(node))); }
  [[nodiscard]] size_t table_bytes() const { return place_.size() * sizeof(uint32_t); }

 private:
  uint32_t size_;
  std::vector<uint32_t> place_;  // by rank; empty: the same
};

}  // namespace quadrille
