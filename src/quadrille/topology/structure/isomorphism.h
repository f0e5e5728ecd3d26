// Isomorphism: whether two networks are one and the same, numbered differently.
//
//     find_isomorphism(parse_topology("torus(4,4)"), parse_topology("file(\"cluster.edges\")"))
//
// Nodes are told apart by how they are linked, and one after the other gets an image (same_looks.h); on symmetric networks none is
// ever taken back, on strongly regular ones of the same parameters much may be, and the search gives up. Products of more than 32
// nodes are told by their prime factors (factorisation.h), and so at any size at which these are found.
#pragma once

#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// image[v] of the second for every node v of the first, so that endpoints are endpoints and links are links, of the
/// same capacity; nothing where there is none, or none was found within some 10^7 looks at links.
[[nodiscard]] std::optional<std::vector<NodeId>> find_isomorphism(const Topology& from, const Topology& to);

}  // namespace quadrille
