// Routers are no endpoints: who tells routers first, because they have more links, has told no endpoint yet.
//
// Doubling by degree lets the nodes of most links know first, and counts each of them as one of those who must. Here an endpoint has
// to be told as such. Of all ways in which e endpoints and r routers know after a step, of most links each, only the most routers for each e
// matter: if these send l messages a step, then e + i endpoints and r + l - i routers may know after the next. On dragonfly(2,4,2) a
// host reaches 64 others at most in three steps, and there are 71. The same backwards for whoever hears from all.
//
// It counts who hears of whom, and so it holds for packets and for worms, on which routers may copy and add as well.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::bounds {

extern const BoundCard routers_are_no_endpoints;

namespace routers_are_no_endpoints_parts {
namespace {

constexpr uint32_t kMostEndpoints = 2'048;

// Messages that the first so many send in a step, who sends most first.
class MostSent {
 public:
  explicit MostSent(std::vector<uint64_t> messages) {
    std::ranges::sort(messages, std::greater());
    for (const uint64_t m : messages) sums_.push_back(sums_.back() + m);
  }
  [[nodiscard]] uint64_t of(uint64_t nodes) const { return sums_[nodes]; }
  [[nodiscard]] uint64_t nodes() const { return sums_.size() - 1; }

 private:
  std::vector<uint64_t> sums_{0};
};

// Steps until all endpoints know of one that sends `own` messages a step.
uint64_t steps_from(uint64_t own, const MostSent& endpoints, const MostSent& routers) {
  constexpr uint64_t kNobody = UINT64_MAX;
  std::vector<uint64_t> most(endpoints.nodes() + 1, kNobody);  // routers, for so many endpoints
  most[0] = 0;
  uint64_t steps = 0;
  while (most.back() == kNobody) {
    std::vector<uint64_t> next(most.size(), kNobody);
    for (uint64_t e = 0; e < most.size(); ++e) {
      if (most[e] == kNobody) continue;
      const uint64_t sent = own + endpoints.of(e) + routers.of(most[e]);
      if (sent == 0) return steps;
      const uint64_t last = std::min<uint64_t>(e + sent, endpoints.nodes());
      for (uint64_t to = e; to <= last; ++to) {
        const uint64_t there = std::min(most[e] + (sent - (to - e)), routers.nodes());
        if (next[to] == kNobody || next[to] < there) next[to] = there;
      }
    }
    most = std::move(next);
    ++steps;
  }
  return steps;
}

// From the root, or from the endpoint that can send least.
Bound from_slowest(const Problem& problem, uint64_t NodeKind::*capacity_of, Ports ports,
                   std::string_view verb) {
  const Topology& topology = problem.topology();
  const std::optional<Rank> root = problem.collective().root();
  std::optional<NodeId> from;
  uint64_t own = 0;
  std::vector<uint64_t> endpoints;
  std::vector<uint64_t> routers;
  for (const NodeKind& kind : each_node(topology)) {
    const uint64_t sent = limited(ports, kind.*capacity_of);
    const std::optional<Rank> rank = topology.rank(kind.first);
    (rank ? endpoints : routers).push_back(sent);
    if (!rank || (root ? *rank != *root : from && sent >= own)) continue;
    from = kind.first;
    own = sent;
  }
  endpoints.erase(std::ranges::find(endpoints, own));
  const uint64_t steps = steps_from(own, MostSent(std::move(endpoints)), MostSent(std::move(routers)));
  return {
      routers_are_no_endpoints.name, Rational(static_cast<int64_t>(steps)),
      fmt::format(
          "node {} can {} at most {} a step, routers and endpoints together, and {} pass until that makes {} endpoints",
          topology.label(*from), verb, plural(own, "other"), plural(steps, "step"),
          problem.collective().num_ranks()),
      BoundOn::kSteps, std::nullopt};
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching == Switching::kShared || !topology.has_routers() || topology.is_outline() ||
      topology.num_endpoints() > kMostEndpoints || problem.collective().num_ranks() < 2)
    return std::nullopt;
  const CollectiveKind kind = problem.collective().kind();
  const bool only_informs = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  const bool only_hears = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  std::optional<Bound> best;
  if (!only_hears) best = from_slowest(problem, &NodeKind::out, problem.model().send, "inform");
  if (!only_informs) {
    Bound heard = from_slowest(problem, &NodeKind::in, problem.model().receive, "hear from");
    if (!best || heard.value > best->value) best = std::move(heard);
  }
  return best;
}

}  // namespace
}  // namespace routers_are_no_endpoints_parts

constinit const BoundCard routers_are_no_endpoints = {
    .name = "routers_are_no_endpoints",
    .summary = "how fast one node's data can spread if every router that is told is no endpoint yet",
    .source = "counting; ours",
    .evaluate = routers_are_no_endpoints_parts::evaluate,
};

}  // namespace quadrille::bounds
