// Scatter down a tree that is grown to have subtrees of equal sizes: see trees/balanced_tree.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/balanced_tree.h"
#include "quadrille/algorithms/trees/scattering/tree_scatter.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_balanced_tree;

namespace scatter_balanced_tree_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return balanced_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

Applicability applies(const Problem& problem) {
  if (problem.topology().is_directed()) {
    return Applicability::no(fmt::format(
        "its tree is repaired over links in both directions; {} is directed, and scatter_flow serves it",
        problem.topology().name()));
  }
  if (problem.topology().has_routers()) {
    return Applicability::no(
        fmt::format("its tree counts every node as a destination; {} has routers, and scatter_flow serves it",
                    problem.topology().name()));
  }
  return Applicability::yes();
}

// Whoever joins a region changes the prospects of all neighbours' neighbours: a second for so many.
constexpr uint64_t kMostLookedAt = uint64_t{1} << 28U;

Preparation prepared(const Problem& problem) {
  const Topology& topology = problem.topology();
  uint64_t looked_at = 0;
  for (const NodeId v : topology.nodes())
    looked_at += uint64_t{topology.out_degree(v)} * topology.out_degree(v);
  return Preparation::of(sharing(problem, tree_of, tree_scatter_prediction, scatter_down,
                                 looked_at > kMostLookedAt ? Effort::kMuch : Effort::kLittle));
}

}  // namespace
}  // namespace scatter_balanced_tree_parts

constinit const Algorithm scatter_balanced_tree = {
    .name = "scatter_balanced_tree",
    .collective = CollectiveKind::kScatter,
    .summary =
        "sends down a spanning tree whose subtrees are nearly equal in size, farthest destination first",
    .source = "the idea of theorem 3.7 of the collective communication dissertation 1996; the tree is ours",
    .remarks =
        "any undirected graph without routers, any ports; with all ports ceil((n-1)/degree) steps wherever "
        "the tree comes out even, as on all tori tried; optimal with one port (n-1 steps)",
    .applies = scatter_balanced_tree_parts::applies,
    .prepare = scatter_balanced_tree_parts::prepared,
};

}  // namespace quadrille::algorithms
