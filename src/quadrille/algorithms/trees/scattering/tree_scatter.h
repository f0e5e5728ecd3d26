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

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

/// The figures of the scatter down a tree.
[[nodiscard]] Prediction tree_scatter_prediction(const Problem& problem, const SpanningTree& tree);
/// Its steps.
void scatter_down(const Problem& problem, const SpanningTree& tree, StepSink& sink);

}  // namespace quadrille
