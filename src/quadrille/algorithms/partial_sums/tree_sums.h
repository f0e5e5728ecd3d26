// Tree sums: an allreduce on the edges of a tree, as short as it can be told there.
//
// Over every edge goes one message each way: everything that lies behind it, as soon as it is together. Whoever has
// heard from all its neighbours sends them the whole. With all ports that takes as many steps as the tree is wide;
// with fewer, those messages go first that have most before them.
//
//     tree_sums(problem, tree_links(net, middle));
#pragma once

#include <vector>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The tree's arcs away from the root of a breadth-first tree; each must have an arc back.
[[nodiscard]] SumPlan tree_sums(const Problem& problem, const std::vector<ArcId>& tree);

/// Trees worth trying: about a node, or the middle of a link, from which the furthest endpoint is nearest. The graph
/// must not be directed.
[[nodiscard]] std::vector<std::vector<ArcId>> narrow_trees(const Topology& topology);
/// The shortest of those.
[[nodiscard]] SumPlan narrow_tree_sums(const Problem& problem);

}  // namespace quadrille
