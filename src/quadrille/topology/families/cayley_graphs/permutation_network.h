// What star and pancake share: n-1 generators on the permutations of n symbols.
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/topology/cayley/permutation_group.h"
#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The most symbols whose figures are computed.
inline constexpr uint64_t kMaxSymbols = 25;

[[nodiscard]] Int128 factorial(uint64_t n);
/// Size, degree and group of a graph of n! nodes and degree n-1.
[[nodiscard]] TopologyFacts permutation_network_facts(std::string_view family, uint64_t symbols);
/// generator(i), for i = 1..n-1, is the permutation that the i-th kind of link applies.
[[nodiscard]] Topology permutation_network(const SpecCall& call, std::string_view family, uint64_t symbols,
                                           Permutation (*generator)(uint64_t symbols, uint64_t i));

}  // namespace quadrille
