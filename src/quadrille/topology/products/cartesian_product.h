// The Cartesian product of graphs: meshes, tori, hypercubes and all their relatives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// G_1 x ... x G_d under the given name; see ProductStructure for numbering and links. A product of Cayley
/// graphs is a Cayley graph of the direct product and remembers it. A node is an endpoint iff all its
/// coordinates are. Factors that are products themselves are flattened, so that product(torus(4,4),ring(3))
/// has three dimensions. Bandwidths and latencies of factors are those of their links, where they have one unit. Throws InputError when the nodes do not fit 32 bits.
[[nodiscard]] Topology cartesian_product(std::string name, const std::vector<Topology>& factors);

/// The factors of factors that are products themselves in their places.
[[nodiscard]] std::vector<Topology> flattened(const std::vector<Topology>& factors);
/// The factors' generators in the direct product of their groups: the stride of a dimension times the element.
[[nodiscard]] std::vector<uint32_t> product_generators(const std::vector<Topology>& factors);

}  // namespace quadrille
