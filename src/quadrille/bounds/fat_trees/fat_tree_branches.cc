// Fat tree branches: what must cross the branch above a subtree, before which and after which some steps are
// lost.
//
// A block that goes between two leaves over an ancestor of level l takes 2l hops. Whichever of them crosses
// the branch above a node of level i, upwards or downwards, 2l - 1 others come before and after it. So m
// blocks that must cross a branch of capacity c, all between leaves of level l or more, need ceil(m/c) + 2l -
// 1 steps. Equation 6.4 of the dissertation is this for total exchange and l = i + 1, all that crosses. A
// higher l counts fewer blocks and longer ways, which tells where leaves hang on several links. With fewer
// ports than capacity the ports count.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {

extern const BoundCard fat_tree_branches;

namespace fat_tree_branches_parts {
namespace {

struct Crossing {
  uint64_t up = 0;
  uint64_t down = 0;
};

// Blocks of leaves of level l or more, seen from a subtree of level i, that must cross the branch above it,
// which is any subtree, or the one with the root, or one as far as l from the root.
Crossing crossing(const Problem& problem, const FatTree& tree, uint32_t i, uint32_t l) {
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t inside = tree.below(i) * pieces;
  const uint64_t outside = (tree.leaves() - tree.below(l - 1)) * pieces;
  switch (problem.collective().kind()) {
    case CollectiveKind::kAlltoall:
      return {outside * tree.below(i), outside * tree.below(i)};
    case CollectiveKind::kAllgather:
    case CollectiveKind::kGather:
      return {inside, outside};
    case CollectiveKind::kScatter:
      return {outside, inside};
    case CollectiveKind::kBroadcast:
      return {pieces, pieces};
    default:
      return {};
  }
}

std::string witness(const Crossing& crossing, uint64_t width, uint32_t i, uint32_t l) {
  const uint64_t blocks = std::max(crossing.up, crossing.down);
  const uint32_t lost = 2 * l - 1;
  const std::string far =
      l == i + 1 ? "" : fmt::format(" {} level {}", crossing.up >= crossing.down ? "for" : "from", l);
  return fmt::format(
      "{} block{}{} must go {} a branch between levels {} and {}, which takes {} a step and is idle in {} "
      "step{} before and after",
      blocks, blocks == 1 ? "" : "s", far, crossing.up >= crossing.down ? "up" : "down", i, i + 1, width,
      lost, lost == 1 ? "" : "s");
}

// Which branch decides: above a node of level i, for blocks between leaves of level l or more.
struct Place {
  uint32_t i = 0;
  uint32_t l = 1;
  bool up = true;
};

// The subtree below it, that has the root of the collective, or is as far from it as blocks come or go.
CutWitness subtree(const Problem& problem, const FatTree& tree, const Place& place) {
  const CollectiveKind kind = problem.collective().kind();
  const std::optional<Rank> root = problem.collective().root();
  uint32_t leaf = root ? static_cast<uint32_t>(index(*root)) : 0;
  const bool is_far = place.up ? kind == CollectiveKind::kGather : kind == CollectiveKind::kScatter;
  if (is_far) leaf = tree.displaced(leaf, tree.below(place.l - 1));
  CutWitness out;
  const uint32_t first = leaf - leaf % tree.below(place.i);
  for (uint32_t level = 0; level <= place.i; ++level) {
    for (uint32_t at = first; at < first + tree.below(place.i); at += tree.below(level))
      out.nodes.push_back(tree.ancestor(level, at));
  }
  std::sort(out.nodes.begin(), out.nodes.end());
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket || problem.collective().flow() == Flow::kCombine)
    return std::nullopt;
  if (!why_no_fat_tree(problem.topology()).empty()) return std::nullopt;
  const FatTree tree(problem.topology());
  std::optional<Bound> best;
  Place place;
  for (uint32_t i = 0; i < tree.height(); ++i) {
    const uint64_t width = limited(model.send, limited(model.receive, tree.capacity(i + 1)));
    for (uint32_t l = i + 1; l <= tree.height(); ++l) {
      const Crossing blocks = crossing(problem, tree, i, l);
      const uint64_t most = std::max(blocks.up, blocks.down);
      const Rational value(static_cast<int64_t>((most + width - 1) / width + 2 * uint64_t{l} - 1));
      if (best && value <= best->value) continue;
      best = Bound{fat_tree_branches.name, value, witness(blocks, width, i, l)};
      place = {i, l, blocks.up >= blocks.down};
    }
  }
  if (best) best->evidence = subtree(problem, tree, place);
  return best;
}

}  // namespace
}  // namespace fat_tree_branches_parts

constinit const BoundCard fat_tree_branches = {
    .name = "fat_tree_branches",
    .summary =
        "blocks that must cross the branch above a subtree of a fat tree, and the hops before and after",
    .source = "collective communication dissertation 1996, equation 6.4, for every level and collective",
    .evaluate = fat_tree_branches_parts::evaluate,
};

}  // namespace quadrille::bounds
