// Rank sides: the grid that ranks form by their numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The sides of a product or torus whose nodes are numbered in row-major order, without those of 1; one side else.
[[nodiscard]] std::vector<uint32_t> sides_of(const Topology& topology);

}  // namespace quadrille
