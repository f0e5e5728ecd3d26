// The ring of n nodes: a family of its own and the factor of tori. ring(2) is a single link, ring(1) a single
// node.
#pragma once

#include <cstdint>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The caller has checked the size.
[[nodiscard]] Topology ring_topology(uint64_t nodes);
[[nodiscard]] TopologyFacts ring_facts(uint64_t nodes);

}  // namespace quadrille
