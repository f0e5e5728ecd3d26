// Telling tree levels: in a tree the nodes at distance d are told over paths of exactly d transfers, and
// t steps with one port hold C(t,d) of these. So n_d nodes there need t steps with C(t,d) >= n_d.
//
// The bound telling_tree is exact and never below; this one needs the number of nodes on every level only.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/rooted_tree.h"
#include "quadrille/bounds/telling.h"

namespace quadrille::bounds {

extern const BoundCard telling_tree_levels;

namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Telling> telling = as_telling(problem);
  if (!telling) return std::nullopt;
  const std::optional<RootedTree> tree = as_rooted_tree(problem.topology(), telling->root);
  if (!tree) return std::nullopt;
  std::vector<uint64_t> level;  // nodes of each level that must be told
  for (const NodeId v : tree->order) {
    level.resize(std::max(level.size(), size_t{tree->depth[index(v)]} + 1), 0);
    ++level[tree->depth[index(v)]];
  }
  uint64_t steps = 0;
  size_t best = 0;
  for (size_t d = 1; d < level.size(); ++d) {
    const auto too_few = [&] { return told_over_paths_of(telling->fan_out, d, steps, level[d]) < level[d]; };
    if (!too_few()) continue;
    best = d;
    while (too_few()) ++steps;
  }
  return Bound{
      telling_tree_levels.name, Rational(static_cast<int64_t>(steps + telling->head_start)),
      fmt::format("{} node{} {} at distance {} from {}, and {} step{} can {} {} there{}", level[best],
                  level[best] == 1 ? "" : "s", level[best] == 1 ? "is" : "are", best,
                  problem.topology().label(telling->root), steps - 1, steps == 2 ? "" : "s", telling->verb(),
                  told_over_paths_of(telling->fan_out, best, steps - 1, level[best]),
                  telling->head_start_text())};
}

}  // namespace

constinit const BoundCard telling_tree_levels = {
    .name = "telling_tree_levels",
    .summary = "in a tree: nodes at distance d, over the paths of length d that fit into the steps",
    .source =
        "collective communication dissertation 1996, corollary 3.5; several ports and reductions are ours",
    .evaluate = evaluate,
};

}  // namespace quadrille::bounds
