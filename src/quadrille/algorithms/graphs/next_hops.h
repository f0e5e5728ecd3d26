// Next hops: from every node, the first arc of one shortest path to every endpoint.
//
// Of several shortest paths the destination's rank picks one, so that neighbouring destinations take
// different ways. With dimension order, coordinates are corrected first to last, each along a shortest path of its
// factor.
//
//     const NextHops hops(net, Routing::kShortest);
//     for (NodeId v = from; v != net.endpoint(to); v = net.head(hops.arc(to, v))) ...
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class NextHops {
 public:
  /// Dimension order needs a product.
  NextHops(const Topology& topology, Routing routing);

  /// The next arc from a node that is not the destination.
  [[nodiscard]] ArcId arc(Rank destination, NodeId at) const {
    return arcs_[index(destination) * num_nodes_ + index(at)];
  }
  /// Arcs from a node to a destination along the hops.
  [[nodiscard]] uint32_t length(Rank destination, NodeId from) const {
    return lengths_[index(destination) * num_nodes_ + index(from)];
  }

 private:
  void fill_shortest(const Topology& topology);
  void fill_dimension_order(const Topology& topology);

  size_t num_nodes_;
  std::vector<ArcId> arcs_;
  std::vector<uint32_t> lengths_;
};

/// The same, kept until another network is asked for: several algorithms that are asked one after another follow the same
/// hops. Large ones are not kept. May be called by several threads.
[[nodiscard]] std::shared_ptr<const NextHops> next_hops_of(const Topology& topology, Routing routing);

}  // namespace quadrille
