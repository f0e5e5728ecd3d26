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
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::bounds {

extern const BoundCard doubling;

namespace doubling_parts {
namespace {

uint32_t steps_to_reach(uint64_t ranks, uint64_t growth) {
  uint32_t steps = 0;
  for (Int128 reached = 1; reached < ranks; reached *= growth) ++steps;
  return steps;
}

// Who has something for most others, and who gets something of most.
struct Widest {
  Rank rank{0};
  uint64_t others = 0;
};

Widest widest(const Counts& counts, bool senders) {
  std::vector<uint64_t> others(counts.num_ranks(), 0);
  for (const Counts::Entry& e : counts.entries())
    if (e.from != e.to) ++others[index(senders ? e.from : e.to)];
  const auto most = std::ranges::max_element(others);
  return {id_at<Rank>(static_cast<size_t>(most - others.begin())), *most};
}

std::optional<Bound> of_counts(const Problem& problem, const Counts& counts, uint64_t sends,
                               uint64_t receives) {
  const Widest from = widest(counts, true);
  const Widest to = widest(counts, false);
  if (from.others == 0) return std::nullopt;
  const uint32_t informing = steps_to_reach(from.others + 1, sends + 1);
  const uint32_t hearing = steps_to_reach(to.others + 1, receives + 1);
  const auto node = [&](Rank rank) { return problem.topology().endpoint(rank); };
  if (informing >= hearing) {
    return Bound{
        doubling.name, Rational(informing),
        fmt::format("a node can inform at most {} a step, and {} has blocks for {}", plural(sends, "other"),
                    problem.topology().label(node(from.rank)), plural(from.others, "other")),
        BoundOn::kSteps, InformedWitness{node(from.rank), 1}};
  }
  return Bound{doubling.name, Rational(hearing),
               fmt::format("a node can hear from at most {} a step, and {} have blocks for {}",
                           plural(receives, "other"), to.others, problem.topology().label(node(to.rank))),
               BoundOn::kSteps, InformedWitness{node(to.rank), 1}};
}

std::optional<Bound> evaluate(const Problem& problem) {
  const uint64_t ranks = problem.collective().num_ranks();
  if (ranks < 2) return std::nullopt;
  const uint64_t sends = most_messages(problem, most_links_out(problem.topology()), problem.model().send);
  const uint64_t receives =
      most_messages(problem, most_links_in(problem.topology()), problem.model().receive);
  if (const Counts* counts = problem.collective().counts())
    return of_counts(problem, *counts, sends, receives);
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
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = doubling_parts::evaluate,
};

}  // namespace quadrille::bounds
