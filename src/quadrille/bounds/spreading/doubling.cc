// Doubling: if a node can start at most s transfers in a step, then at most (s+1)^t nodes can know after t
// steps what one node knew at first. The same backwards: if it can end at most r, it can have heard of at
// most (r+1)^t nodes.
//
// It counts who can have heard of whom, not blocks, and so it holds for worms that carry any number of them.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

namespace quadrille::bounds {

extern const BoundCard doubling;

namespace doubling_parts {
namespace {

uint32_t steps_to_reach(uint64_t ranks, uint64_t growth) {
  uint32_t steps = 0;
  for (Int128 reached = 1; reached < ranks; reached *= growth) ++steps;
  return steps;
}

// The most messages that any node can start, or end, in one step. Where paths may share arcs there is no
// limit but its ports and the nodes that there are.
uint64_t most(const Problem& problem, const std::vector<uint64_t>& capacities, Ports ports) {
  if (problem.model().switching == Switching::kShared)
    return limited(ports, problem.topology().num_nodes() - 1);
  return limited(ports, *std::max_element(capacities.begin(), capacities.end()));
}

std::optional<Bound> evaluate(const Problem& problem) {
  const uint64_t ranks = problem.collective().num_ranks();
  if (ranks < 2) return std::nullopt;
  const NodeCapacities capacities = node_capacities(problem.topology());
  const uint64_t sends = most(problem, capacities.out, problem.model().send);
  const uint64_t receives = most(problem, capacities.in, problem.model().receive);
  const CollectiveKind kind = problem.collective().kind();
  const bool only_informs = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  const bool only_hears = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  const std::optional<Rank> root = problem.collective().root();
  const NodeId node = problem.topology().endpoint(root ? *root : Rank{0});
  if (!only_hears && (only_informs || sends <= receives)) {
    return Bound{
        doubling.name, Rational(steps_to_reach(ranks, sends + 1)),
        fmt::format("a node can inform at most {} a step, and {} must know in the end what one node has",
                    plural(sends, "other"), ranks),
        BoundOn::kSteps, InformedWitness{node, 1}};
  }
  return Bound{
      doubling.name, Rational(steps_to_reach(ranks, receives + 1)),
      fmt::format("a node can hear from at most {} a step, and one node must have heard from {} in the end",
                  plural(receives, "other"), ranks),
      BoundOn::kSteps, InformedWitness{node, 1}};
}

}  // namespace
}  // namespace doubling_parts

constinit const BoundCard doubling = {
    .name = "doubling",
    .summary = "one node's data reaches at most 1 + ports times as many nodes with each step",
    .source = "folklore",
    .evaluate = doubling_parts::evaluate,
};

}  // namespace quadrille::bounds
