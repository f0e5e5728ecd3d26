// The torus as other families use it: the k-ary n-cube is one with equal sides.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

[[nodiscard]] TopologyFacts torus_facts(const std::vector<uint64_t>& sides);
/// Errors about its size point at the call.
[[nodiscard]] Topology torus_topology(const SpecCall& call, const std::vector<uint64_t>& sides);
[[nodiscard]] Topology torus_outline(const SpecCall& call, const std::vector<uint64_t>& sides);

}  // namespace quadrille
