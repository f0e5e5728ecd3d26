// The complete graph: every two nodes are linked. A family of its own and the factor of hypercubes.
#pragma once

#include <cstdint>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The caller has checked the size.
[[nodiscard]] Topology complete_graph_topology(uint64_t nodes);
[[nodiscard]] TopologyFacts complete_graph_facts(uint64_t nodes);

}  // namespace quadrille
