// Node-invariant tree: one node's block sent to all others, so that all nodes can do the same at once.
//
// On a Cayley graph every block travels alike: the block of node p, sent along the tree to p*u, goes on
// along generator g to p*u*g. A hop of the tree is therefore a hop that every node makes: in the hop's step,
// node x sends along g the block of x*u^-1. Links are never shared as long as no generator has more hops in
// one step than its links have capacity; the ports limit the hops of a step. So N-1 hops a piece, and as many
// in every step as ports or links allow: ceil(pieces * (N-1) / degree) steps with all ports, which no plan
// can beat.
//
// The hops of a step are a matching of generators and nodes that are not informed yet, the largest there is,
// nodes first that few generators could reach. Where that runs short of hops later on, the whole is made
// again with other choices, a bounded number of times; the best tree found is taken, and the prediction
// counts its steps.
//
//     const NodeInvariantTree tree = node_invariant_tree(problem, pieces);
//     spread(problem, tree, TransferOp::kDefault, sink);      // allgather
//     collect(problem, tree, sink);                           // reduce_scatter: the same backwards
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

struct NodeInvariantTree {
  /// The piece goes from the node at offset `from` along the generator (its position in
  /// CayleyStructure::generators).
  struct Hop {
    uint32_t from;
    uint32_t generator;
    uint32_t piece;
  };
  uint32_t pieces = 1;
  std::vector<Hop> hops;         ///< step after step
  std::vector<size_t> step_end;  ///< per step: the end of its hops

  [[nodiscard]] uint64_t steps() const { return step_end.size(); }
  [[nodiscard]] std::span<const Hop> step(size_t s) const {
    const size_t begin = s == 0 ? 0 : step_end[s - 1];
    return std::span<const Hop>(hops).subspan(begin, step_end[s] - begin);
  }
  /// Hops along the busiest generator: what the busiest link carries.
  [[nodiscard]] uint64_t busiest_generator() const;
};

/// Why there is none for the problem's topology and model, or yes.
[[nodiscard]] Applicability has_node_invariant_tree(const Problem& problem);

/// For a block of that many pieces at every node.
[[nodiscard]] NodeInvariantTree node_invariant_tree(const Problem& problem, uint32_t pieces);

/// Every node's pieces to all nodes. Piece q of node v is block v * tree.pieces + q of the problem; where the
/// problem has fewer blocks, the last nodes have fewer pieces.
void spread(const Problem& problem, const NodeInvariantTree& tree, TransferOp op, StepSink& sink);
/// The same in the short form, where the problem has a block for each of the tree's pieces.
void spread_at_one_node(const NodeInvariantTree& tree, SymmetricSink& sink);
/// The same of the blocks that an allreduce deals out to the nodes: copies of sums.
void spread_sums_at_one_node(const Problem& problem, const NodeInvariantTree& tree, SymmetricSink& sink);
/// Every node's pieces from all nodes: the same backwards, over the links back.
void collect(const Problem& problem, const NodeInvariantTree& tree, StepSink& sink);
/// The same in the short form, on the problem's topology.
void collect_at_one_node(const Problem& problem, const NodeInvariantTree& tree, SymmetricSink& sink);

}  // namespace quadrille
