// Circulants: the nodes of Z_n, each linked to those at given distances around the circle. The extended ring
// has the jumps 1..rho and closed forms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The jumps as steps between 1 and n/2, ascending, each once: 11 of 12 is a jump of 1 the other way.
[[nodiscard]] std::vector<uint64_t> reduced_jumps(uint64_t nodes, const std::vector<uint64_t>& jumps);

/// `jumps` are reduced and reach every node; the caller has checked the size.
[[nodiscard]] Topology circulant_topology(std::string spec, uint64_t nodes,
                                          const std::vector<uint64_t>& jumps);
/// Size, degree and the cut through the circle.
[[nodiscard]] TopologyFacts circulant_facts(std::string spec, uint64_t nodes,
                                            const std::vector<uint64_t>& jumps);

/// Jumps 1..rho: all distances in closed form. rho is at most n/2.
[[nodiscard]] TopologyFacts extended_ring_facts(uint64_t nodes, uint64_t rho);
[[nodiscard]] Topology extended_ring_topology(uint64_t nodes, uint64_t rho);

}  // namespace quadrille
