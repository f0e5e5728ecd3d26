// Relative messages: what all nodes of a Cayley graph have in common in a total exchange with one port.
//
// The relative message r stands for N blocks, x -> x*r for every node x, and takes length(r) steps. In a step
// all nodes forward the same relative message along the same generator, a permutation of the nodes: everybody
// sends once and receives once. The next generator comes from one table for all nodes. In whatever order the
// messages take their turns, the steps are the sum of the lengths, the total distance of a node; the orders
// are the cards alltoall_cayley (first in, first out), alltoall_cayley_furthest_first and
// alltoall_cayley_closest_first.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// For each displacement r its length, its first generator W(r) as a position in CayleyStructure::generators,
/// and what is left after it, W(r)^-1 r, which is one shorter.
struct RelativeMessages {
  std::vector<uint32_t> length;
  std::vector<uint32_t> generator;
  std::vector<uint32_t> rest;

  explicit RelativeMessages(const CayleyStructure& cayley);
};

/// Whether the problem is a Cayley graph in which everybody takes part and may do the same.
[[nodiscard]] Applicability relative_messages_apply(const Problem& problem);
/// The total distance of a node, in steps; and the hops along the busiest generator.
[[nodiscard]] Prediction relative_messages_prediction(const Problem& problem, const RelativeMessages& table);
/// The table of the problem's graph.
[[nodiscard]] RelativeMessages relative_messages(const Problem& problem);

}  // namespace quadrille
