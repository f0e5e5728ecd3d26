// Disjoint trees: how all links can work for one broadcast at once.
//
// K trees lead from the root to every endpoint, and no channel is in two of them (an arc of capacity c is in up
// to c). Piece i goes down tree i mod K, so that K pieces, a batch, leave the root in one step, and the next
// batch follows in the next: with trees of height h the pieces need ceil(pieces / K) - 1 + h steps.
//
// The last batches can do better. Links that no batch before them needs any more are free for them from step
// to step, and they may take other ways than the trees: a `window` of batches that is planned as a whole, of
// which trees are only what runs before it. With T - W + window.steps steps in all, where T is the number of
// batches and W that of the window's, a table of constant size serves any number of pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct DisjointTrees {
  NodeId root{};
  /// Per tree and node: the arc from its parent; kNoArc for the root and outside the tree.
  std::vector<std::vector<ArcId>> arcs{};
  /// Per tree and node: hops from the root; 0 outside the tree.
  std::vector<std::vector<uint32_t>> depths{};

  [[nodiscard]] size_t size() const { return arcs.size(); }
  [[nodiscard]] uint32_t height() const;
};

/// Works out the depths, leaves out branches that have no endpoint, and checks all that is said above.
[[nodiscard]] DisjointTrees disjoint_trees(const Topology& topology, NodeId root,
                                           std::vector<std::vector<ArcId>> arcs);

/// What the last batches send, counted from the step in which the first of them would leave the root.
struct LastBatches {
  struct Send {
    uint32_t step = 0;   ///< from 1
    uint32_t piece = 0;  ///< of those of the window
    ArcId arc{};
  };
  uint32_t batches = 1;
  uint32_t steps = 0;
  std::vector<Send> sends{};  ///< by step
};

/// A broadcast in batches down the trees; without `last` all of them go that way.
///
/// Or trees two by two: each pair has its own pieces, which one of the two sends in rising order and the other in
/// falling order, until they meet; whoever has a piece already is not sent it again. A node that is deep in one
/// tree and not in the other is then as well off as one that is halfway deep in both, and nothing has to be searched.
struct TreeStreams {
  uint32_t batch = 1;     ///< pieces: as many as there are trees
  DisjointTrees trees{};  ///< not needed where all batches are in the window
  std::optional<LastBatches> last{};
  bool two_by_two = false;  ///< trees 0 and 1, 2 and 3, ..; no routers

  /// For any number of pieces; with `last`, one that fills the window as far as it was planned.
  [[nodiscard]] uint64_t steps(uint64_t pieces) const;
};

[[nodiscard]] Prediction tree_streams_prediction(const Problem& problem, const TreeStreams& streams);
void stream_down(const Problem& problem, const TreeStreams& streams, StepSink& sink);

/// Leaves out what reaches a node a second time, and what no endpoint has anything from.
void keep_what_is_needed(const Topology& topology, NodeId root, uint32_t pieces, LastBatches& last);

/// The trees of a mesh: as many as it has dimensions, from any root. Tree j goes to whoever differs from the
/// root in dimension j, by dimensions j, j+1, .. in turn; others hang on a neighbour in dimension j. Of a
/// hypercube they are those of Johnsson and Ho.
[[nodiscard]] std::optional<DisjointTrees> mesh_trees(const Topology& topology, NodeId root);

/// Those of a complete graph, one a neighbour: to it, and from it to all others.
[[nodiscard]] std::optional<DisjointTrees> complete_trees(const Topology& topology, NodeId root);

}  // namespace quadrille
