// Transmission tree levels: in a tree the nodes at distance d are informed over paths of exactly d transfers,
// and t steps with one port hold C(t,d) of these. So n_d nodes there need t steps with C(t,d) >= n_d.
//
// The bound transmission_tree is exact and never below; this one needs the number of nodes on every level
// only.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"
#include "quadrille/bounds/rooted_tree.h"

namespace quadrille::bounds {

extern const BoundCard transmission_tree_levels;

namespace transmission_tree_levels_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  const std::optional<RootedTree> tree = as_rooted_tree(problem.topology(), spread->root);
  if (!tree) return std::nullopt;
  std::vector<uint64_t> level;  // nodes of each level that must be informed
  for (const NodeId v : tree->order) {
    level.resize(std::max(level.size(), size_t{tree->depth[index(v)]} + 1), 0);
    ++level[tree->depth[index(v)]];
  }
  uint64_t steps = 0;
  size_t best = 0;
  for (size_t d = 1; d < level.size(); ++d) {
    const auto too_few = [&] {
      return informed_over_paths_of(spread->fan_out, d, steps, level[d]) < level[d];
    };
    if (!too_few()) continue;
    best = d;
    while (too_few()) ++steps;
  }
  return Bound{
      transmission_tree_levels.name, Rational(static_cast<int64_t>(steps + spread->head_start)),
      fmt::format("{} node{} {} at distance {} from {}, and {} step{} can {} {} there{}", level[best],
                  level[best] == 1 ? "" : "s", level[best] == 1 ? "is" : "are", best,
                  problem.topology().label(spread->root), steps - 1, steps == 2 ? "" : "s", spread->verb(),
                  informed_over_paths_of(spread->fan_out, best, steps - 1, level[best]),
                  spread->head_start_text()),
      BoundOn::kSteps, InformedWitness{spread->root, 1}};
}

constexpr std::array<std::string_view, 1> kAliases = {"telling_tree_levels"};

}  // namespace
}  // namespace transmission_tree_levels_parts

constinit const BoundCard transmission_tree_levels = {
    .name = "transmission_tree_levels",
    .summary = "in a tree: nodes at distance d, over the paths of length d that fit into the steps",
    .source =
        "collective communication dissertation 1996, corollary 3.5; several ports and reductions are ours",
    .aliases = transmission_tree_levels_parts::kAliases,
    .evaluate = transmission_tree_levels_parts::evaluate,
};

}  // namespace quadrille::bounds
