// Transposed: the same network with every arc turned round.
//
//     transposed(parse_topology("torus(4,4)"));   // the same topology: its links are alike both ways
//
// Whoever plans a collective that ends where another one begins (gather and scatter, reduce and broadcast)
// plans the other one on the transposed network and reads the plan backwards.
#pragma once

#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The topology itself when every arc has a reverse of the same capacity. Otherwise another one with the same
/// nodes, labels and endpoints, a product if it was one, that no spec names.
[[nodiscard]] Topology transposed(const Topology& topology);

/// Of each arc of a topology the number that it has, turned round, in transposed() of it.
[[nodiscard]] std::vector<ArcId> turned_arcs(const Topology& topology, const Topology& turned);

}  // namespace quadrille
