// What the families that are products of simpler ones share: building them after a look at the size, and
// adding up facts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The product of one factor per size. `facts` are those of the product: its size is checked before anything
/// is built, and its canonical spec is the name.
[[nodiscard]] Topology build_product(const SpecCall& call, const TopologyFacts& facts,
                                     const std::vector<uint64_t>& sizes, Topology (*factor)(uint64_t));
/// The same in outline (topology/products/outline.h): its nodes must have numbers, and no factor more than
/// kMostArcsForFigures arcs.
[[nodiscard]] Topology outline_product(const SpecCall& call, const TopologyFacts& facts,
                                       const std::vector<uint64_t>& sizes, Topology (*factor)(uint64_t),
                                       TopologyFacts (*factor_facts)(uint64_t));
/// The facts of the product of one factor per size.
[[nodiscard]] TopologyFacts facts_of_product(std::string spec, const std::vector<uint64_t>& sizes,
                                             TopologyFacts (*factor)(uint64_t));

}  // namespace quadrille
