// Joined parts: sets of nodes that grow together, and how many of them have an endpoint.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille::bounds {

class JoinedParts {
 public:
  explicit JoinedParts(const Topology& topology)
      : is_endpoint_(topology.num_nodes(), 0), parent_(topology.num_nodes()) {
    for (const NodeId v : topology.endpoints()) is_endpoint_[index(v)] = 1;
    clear();
  }

  void clear() {
    std::iota(parent_.begin(), parent_.end(), 0U);
    endpoints_.assign(is_endpoint_.size(), 0);
    number_ = 0;
  }
  /// A part of its own, from now on counted.
  void add(NodeId v) {
    endpoints_[index(v)] = is_endpoint_[index(v)];
    number_ += endpoints_[index(v)];
  }
  /// Whether they were apart.
  bool join(NodeId v, NodeId w) {
    const uint32_t a = of(v);
    const uint32_t b = of(w);
    if (a == b) return false;
    if (endpoints_[a] > 0 && endpoints_[b] > 0) --number_;
    parent_[a] = b;
    endpoints_[b] += endpoints_[a];
    return true;
  }
  [[nodiscard]] uint32_t of(NodeId v) {
    auto a = static_cast<uint32_t>(index(v));
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  [[nodiscard]] bool has_endpoint(NodeId v) { return endpoints_[of(v)] > 0; }
  /// Those with an endpoint.
  [[nodiscard]] uint64_t number() const { return number_; }

 private:
  std::vector<uint32_t> is_endpoint_;
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> endpoints_{};
  uint64_t number_ = 0;
};

}  // namespace quadrille::bounds
