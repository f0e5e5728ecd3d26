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

/// Whether it is a product, a Cayley graph or a tree and knows it.
[[nodiscard]] bool has_plans_of_its_own(const Topology& topology);

/// Lines, rings, complete graphs, tori, meshes, (generalized) hypercubes; stars, pancakes, cube-connected cycles, wrapped
/// butterflies, generalized Petersen graphs, Slim Flies, dragonflies without hosts; trees and fat trees; on up to 2,048 nodes what has
/// hosts and switches (switched_specs.h). Where it is none of those
/// with a structure: the product of its prime factors (factorisation.h), each under its own name or by its links, on up to 8,192
/// nodes, and else a Cayley graph (regular_subgroup.h). The other families are looked for on up to 512 nodes. A network may have
/// several names (a torus of sides of 4 is a hypercube), the most telling one first.
/// Of what looks alike but has no structure only those names come that stand before its own.
[[nodiscard]] std::vector<Recognised> recognised_as(const Topology& topology);

}  // namespace quadrille
