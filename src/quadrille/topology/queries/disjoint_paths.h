// Node-disjoint paths: ways from one node to another that share no node but their ends.
//
//     const DisjointPaths found = disjoint_paths(net, NodeId{0}, NodeId{5});
//     found.paths.size();      // how many: never more than found.most
//
// A large transfer that is cut into as many parts takes that fraction of its time, and as many failures less
// one cannot part the two nodes. In any graph a flow of least length finds the most there are. A product
// needs no search in itself: its paths are put together from those of its factors.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The nodes on the way, both ends included.
using NodePath = std::vector<NodeId>;

struct DisjointPaths {
  std::vector<NodePath> paths;  ///< shortest first
  uint32_t most = 0;            ///< links out of the first node, or into the last one: a bound
  bool from_factors = false;    ///< put together from the factors of a product, else by a flow
  bool proved = true;           ///< there are no more: by the links or by a flow
};

/// As many as there are. Throws InputError when both nodes are the same.
[[nodiscard]] DisjointPaths disjoint_paths(const Topology& topology, NodeId from, NodeId to);

/// The same by a flow of least total length, whatever the structure.
[[nodiscard]] std::vector<NodePath> disjoint_paths_by_flow(const Topology& topology, NodeId from, NodeId to);

/// In an undirected product: p_i paths for each dimension i in which the two nodes differ, where p_i is the
/// number in the factor, and for each dimension in which they agree as many as the node has links there.
[[nodiscard]] std::vector<NodePath> disjoint_paths_of_product(const Topology& topology, NodeId from,
                                                              NodeId to);

}  // namespace quadrille
