// What cube_connected_cycles and butterfly share: d 2^d nodes (w, p), a word of d bits and a position in it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Generators (word, position), to which their inverses are added; those that are the identity (small d) are
/// dropped and equal ones taken once.
[[nodiscard]] Topology shuffle_network(const SpecCall& call, std::string_view family, uint64_t d,
                                       const std::vector<std::pair<uint32_t, uint32_t>>& generators);
/// Size, degree and group.
[[nodiscard]] TopologyFacts shuffle_network_facts(std::string_view family, uint64_t d, uint64_t degree);

}  // namespace quadrille
