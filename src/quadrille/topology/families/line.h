// The line (linear array) 0 - 1 - .. - n-1: a family of its own and the factor of meshes.
#pragma once

#include <cstdint>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The caller has checked the size. Lines of one and two nodes know their group.
[[nodiscard]] Topology line_topology(uint64_t nodes);
[[nodiscard]] TopologyFacts line_facts(uint64_t nodes);

}  // namespace quadrille
