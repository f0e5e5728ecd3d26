// Balanced routes: which hops the displacements of an abelian Cayley graph take, so that the busiest
// generator carries as little as possible.
//
//     const DisplacementRoutes routes = balanced_routes(*net.cayley());
//
// A search in rounds. Generators get weights that grow with their load; every displacement is offered the
// shortest path under these weights, and the mirror image of its inverse's way, and takes what lowers a high
// power of the loads. The weights of a round also prove a lower bound (the displacements' distances over the
// sum of the weights); where it is met the search ends. Ways need not be shortest in hops.
#pragma once

#include "quadrille/algorithms/cayley/displacement_exchange.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Deterministic. Time for a few hundred searches over the group's Cayley graph.
[[nodiscard]] DisplacementRoutes balanced_routes(const CayleyStructure& cayley);

}  // namespace quadrille
