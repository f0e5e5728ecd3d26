// Fat tree leaf times: in total exchange the steps in which leaves send and receive cannot be close together.
//
// A leaf sends m = n - 1 messages, at most c in a step, so its sends fall on average not before the middle of
// its busiest steps; its receptions end with step T. A message between leaves of level l is received at least
// 2l - 1 steps after it was sent. Summed over all messages of a leaf, with S = ceil(1/c) + .. + ceil(m/c):
//
//     m T - (S - m)  >=  S + sum over l of (N_l - N_(l-1)) (2l - 1).
//
// With c = 1: T >= n - 1 + the average of 2l - 1. For exponential capacities that is the optimum, and sharper
// than theorem 6.10.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {

extern const BoundCard fat_tree_leaf_times;

namespace fat_tree_leaf_times_parts {
namespace {

// ceil(1/width) + .. + ceil(count/width).
Int128 earliest_steps(uint64_t count, uint64_t width) {
  const Int128 full = count / width;
  return full * (full + 1) / 2 * width + (full + 1) * (count % width);
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  if (problem.collective().kind() != CollectiveKind::kAlltoall || model.switching != Switching::kPacket)
    return std::nullopt;
  if (!why_no_fat_tree(problem.topology()).empty()) return std::nullopt;
  const FatTree tree(problem.topology());
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t messages = pieces * (tree.leaves() - 1);
  Int128 between = 0;
  for (uint32_t l = 1; l <= tree.height(); ++l) {
    between += Int128{pieces} * (tree.below(l) - tree.below(l - 1)) * (2 * l - 1);
  }
  const Int128 sum = between + earliest_steps(messages, limited(model.send, tree.capacity(1))) +
                     earliest_steps(messages, limited(model.receive, tree.capacity(1))) - messages;
  const auto leaves = problem.topology().endpoints();
  return Bound{
      fat_tree_leaf_times.name, Rational::of(sum, messages),
      fmt::format("each leaf's {} messages are received {} steps after they were sent, on average; its "
                  "sends and its receptions are at most {} a step",
                  messages, Rational::of(between, messages).to_string(), tree.capacity(1)),
      BoundOn::kSteps, BetweenWitness{{leaves.begin(), leaves.end()}}};
}

}  // namespace
}  // namespace fat_tree_leaf_times_parts

constinit const BoundCard fat_tree_leaf_times = {
    .name = "fat_tree_leaf_times",
    .summary = "total exchange on a fat tree: a leaf's sends and receives, and the hops between them",
    .source = "sharpens theorem 6.10 of the collective communication dissertation 1996",
    .evaluate = fat_tree_leaf_times_parts::evaluate,
};

}  // namespace quadrille::bounds
