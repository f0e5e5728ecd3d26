// Fat tree branches: what must cross the branch above a subtree, before which and after which some steps are
// lost.
//
// Nothing crosses the branch above a node of level i, upwards, in the first i steps, because it comes from a
// leaf; and what crosses it last has at least i + 1 hops before it. Downwards it is i + 1 steps before and i
// after. So m blocks that must cross a branch of capacity c need ceil(m/c) + 2i + 1 steps. Equation 6.4 of
// the dissertation is this for total exchange. With fewer ports than capacity the ports count.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/catalog.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket || problem.collective().flow() == Flow::kCombine)
    return std::nullopt;
  if (!why_no_fat_tree(problem.topology()).empty()) return std::nullopt;
  const FatTree tree(problem.topology());
  const uint32_t n = tree.leaves();
  std::optional<Bound> best;
  for (uint32_t i = 0; i < tree.height(); ++i) {
    const uint64_t width = limited(model.send, limited(model.receive, tree.capacity(i + 1)));
    const uint32_t below = tree.below(i);
    for (const bool root_below : {true, false}) {
      const uint64_t up = blocks_leaving(problem, below, root_below);
      const uint64_t down = blocks_leaving(problem, n - below, !root_below);
      const uint64_t blocks = std::max(up, down);
      if (blocks == 0) continue;
      const Rational value(static_cast<int64_t>((blocks + width - 1) / width + 2 * uint64_t{i} + 1));
      if (best && value <= best->value) continue;
      best =
          Bound{fat_tree_branches.name, value,
                fmt::format("{} block{} must go {} a branch between levels {} and {}, which takes {} a step "
                            "and is idle in {} step{} before and after",
                            blocks, blocks == 1 ? "" : "s", up >= down ? "up" : "down", i, i + 1, width,
                            2 * i + 1, i == 0 ? "" : "s")};
    }
  }
  return best;
}

}  // namespace

constinit const BoundCard fat_tree_branches = {
    .name = "fat_tree_branches",
    .summary =
        "blocks that must cross the branch above a subtree of a fat tree, and the hops before and after",
    .source = "collective communication dissertation 1996, equation 6.4, for every level and collective",
    .evaluate = evaluate,
};

}  // namespace quadrille::bounds
