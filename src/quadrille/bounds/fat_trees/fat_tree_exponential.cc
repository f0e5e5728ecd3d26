// Fat tree exponential: theorem 6.10 of the dissertation as it stands, n + 2h - 2 log_k h - 2 steps for total
// exchange on a fat tree of one arity whose leaves hang on one link each. fat_tree_leaf_times is sharper.
#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {

extern const BoundCard fat_tree_exponential;

namespace fat_tree_exponential_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().kind() != CollectiveKind::kAlltoall ||
      problem.model().switching != Switching::kPacket || problem.collective().pieces() != 1) {
    return std::nullopt;
  }
  if (!why_no_fat_tree(problem.topology()).empty()) return std::nullopt;
  const FatTree tree(problem.topology());
  if (!tree.is_uniform() || tree.capacity(1) != 1) return std::nullopt;
  const int64_t h = tree.height();
  // The integer part of 2 log_k h: the bound is rounded up.
  int64_t logarithm = 0;
  for (int64_t power = tree.arity(1); power <= h * h; power *= tree.arity(1)) ++logarithm;
  // What the theorem counts is what fat_tree_leaf_times adds up, and rounds.
  const auto leaves = problem.topology().endpoints();
  return Bound{fat_tree_exponential.name, Rational(tree.leaves() + 2 * h - 2 - logarithm),
               fmt::format("n + 2h - 2 log_k h - 2, rounded up, for k = {}, h = {}", tree.arity(1), h),
               BoundOn::kSteps, BetweenWitness{{leaves.begin(), leaves.end()}}};
}

}  // namespace
}  // namespace fat_tree_exponential_parts

constinit const BoundCard fat_tree_exponential = {
    .name = "fat_tree_exponential",
    .summary = "total exchange on a fat tree of one arity with single links at the leaves",
    .source = "collective communication dissertation 1996, theorem 6.10",
    .evaluate = fat_tree_exponential_parts::evaluate,
};

}  // namespace quadrille::bounds
