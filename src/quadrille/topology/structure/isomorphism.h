// Isomorphism: whether two networks are one and the same, numbered differently.
//
//     find_isomorphism(parse_topology("torus(4,4)"), parse_topology("file(\"cluster.edges\")"))
//
// Nodes are told apart by how far they are from all others; then one after the other, each next to one that has its
// image, gets one, and takes it back where its links do not fit. On symmetric networks hardly anything is taken back;
// on strongly regular ones of the same parameters it may be much, and the search gives up. Products of more than 32 nodes are
// told by their prime factors (factorisation.h), and so at any size at which these are found.
#pragma once

#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// image[v] of the second for every node v of the first, so that endpoints are endpoints and links are links, of the
/// same capacity; nothing where there is none, or none was found within some 10^7 looks at links.
[[nodiscard]] std::optional<std::vector<NodeId>> find_isomorphism(const Topology& from, const Topology& to);

}  // namespace quadrille
