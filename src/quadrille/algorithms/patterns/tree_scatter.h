// Scatter down a tree, farthest destination first: nobody on the way ever waits.
//
// The root starts at most one message a step into each child's subtree, and as many in all as it has ports;
// within a subtree the farthest destination goes first. Messages of one subtree that are under way are then
// on different levels, so every other node sends and receives at most one message a step.
//
//   one port     the farthest destination of all first: n-1 steps on a graph without routers
//   all ports    every subtree by itself: as many steps as the largest subtree has destinations (more if a
//                path is longer)
//   k ports      each step serves the k subtrees that still need the most steps by themselves
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/patterns/spanning_tree.h"

namespace quadrille {

/// A message that leaves the root in a step.
struct ScatterSend {
  uint64_t step = 0;  ///< 0-based
  NodeId destination{};
  uint32_t piece = 0;
};

/// What the root sends, in order of the steps.
[[nodiscard]] std::vector<ScatterSend> furthest_first_sends(const Problem& problem, const SpanningTree& tree);

/// The figures of the scatter that these sends begin, and its steps.
[[nodiscard]] Claim claim_of(const std::vector<ScatterSend>& sends, const Problem& problem,
                             const SpanningTree& tree);
void generate(const std::vector<ScatterSend>& sends, const Problem& problem, const SpanningTree& tree,
              StepSink& sink);

}  // namespace quadrille
