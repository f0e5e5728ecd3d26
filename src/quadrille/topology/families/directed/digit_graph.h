// Digit graphs: directed graphs in which a node's heads are found by shifting a digit into its number: de Bruijn and
// Kautz graphs and their generalisations to any number of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

enum class DigitRule : uint8_t {
  kDeBruijn,  ///< u to d u + j, j = 0 .. d-1
  kKautz,     ///< u to -d u - j, j = 1 .. d (Imase, Itoh 1981)
};

struct DigitGraph {
  std::string spec;
  DigitRule rule = DigitRule::kDeBruijn;
  Int128 nodes = 0;
  uint64_t degree = 1;
  std::optional<Int128> links{};     ///< where a formula says so; otherwise they are listed and counted
  std::optional<Int128> diameter{};  ///< likewise, or left to search
};

/// Arcs from a node to itself are left out, and equal ones are one. Too many nodes are an error at the call.
[[nodiscard]] Topology digit_graph_topology(const SpecCall& call, const DigitGraph& graph);
/// Sizes, and the diameter if it is known.
[[nodiscard]] TopologyFacts digit_graph_facts(const SpecCall& call, const DigitGraph& graph);
/// base^exponent; an error at the argument beyond what a spec may name.
[[nodiscard]] Int128 word_count(const SpecCall& call, uint64_t base, uint64_t exponent);

}  // namespace quadrille
