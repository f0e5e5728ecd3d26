// Recognition: whether a network that has no structure, from a file perhaps, is a member of a known family after all, a product
// or a Cayley graph, numbered differently.
//
//     recognised_as(parse_topology("file(\"cluster.edges\")"))     // torus(4,4), and which of its nodes is which of ours
#pragma once

#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct Recognised {
  Topology topology;
  std::vector<NodeId> image;  ///< for each of its nodes, which of ours it is
  bool is_family = true;      ///< or a product or a Cayley graph that no family is known to have
};

/// Lines, rings, complete graphs, tori, meshes, (generalized) hypercubes; stars, pancakes, cube-connected cycles, wrapped
/// butterflies, generalized Petersen graphs, Slim Flies, dragonflies without hosts; trees and fat trees. Where it is none of those
/// with a structure: the product of its prime factors (factorisation.h), each under its own name or by its links, on up to 8,192
/// nodes, and else a Cayley graph (regular_subgroup.h). The other families are looked for on up to 512 nodes. A network may have
/// several names (a torus of sides of 4 is a hypercube), the most telling one first.
[[nodiscard]] std::vector<Recognised> recognised_as(const Topology& topology);

}  // namespace quadrille
