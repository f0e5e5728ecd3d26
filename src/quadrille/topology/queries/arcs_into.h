// Arcs into nodes: a topology lists the arcs from a node; who looks backwards asks for these once.
#pragma once

#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Of every node the arcs that lead to it, in the order of their numbers.
[[nodiscard]] std::vector<std::vector<ArcId>> arcs_into(const Topology& topology);

}  // namespace quadrille
