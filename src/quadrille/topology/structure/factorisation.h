// Factorisation: the prime factors of a network under the Cartesian product.
//
//     prime_factors(parse_topology("file(\"cluster.edges\")"))    // a ring of 5, a path of 3: product(ring(5),line(3))
//
// Every connected graph is the product of prime ones in one way only. The links of one factor are a class: two links of
// a node that no square of two missing diagonals completes, or more than one, belong together, and so do opposite sides of
// a square and, in general, links of which one sees the other's ends at uneven distances (Djokovic and Winkler's relation;
// that the two span the classes, looked for from the links of one tree, is Feder's, 1992). The squares nearly always suffice,
// in time that grows with the links; whether they did is seen when the factors are multiplied out again, as they always are.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Numbered by their lowest nodes: in every factor, node 0 is that of our node 0.
struct Factorisation {
  std::vector<Topology> factors;  ///< one, the network itself, where it is prime; those of fewer nodes first
  std::vector<uint32_t> coordinates{};  ///< of node v in factor i: coordinates[v * factors.size() + i]

  [[nodiscard]] uint32_t coordinate(NodeId node, size_t factor) const {
    return coordinates[index(node) * factors.size() + factor];
  }
};

/// With capacities, directions and roles: a node is an endpoint where all its coordinates are, or the factors concerned are left
/// together. Networks of more than kMostNodesToFactor nodes, or some 10^9 pairs of links to look at, count as prime.
inline constexpr uint32_t kMostNodesToFactor = 8192;
[[nodiscard]] Factorisation prime_factors(const Topology& topology);

}  // namespace quadrille
