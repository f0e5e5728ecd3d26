// Doubling by degree: nodes that know inform as many others in a step as they have links and ports; at the best the
// node of most links is informed first, then the next one.
//
// Doubling takes the node of most links for all of them. A host on one link, a corner of a mesh, or what a failure
// has left of a node informs fewer, and whoever must be heard by all begins with its own links. Where all must
// hear from all the worst endpoint counts, and the same backwards: how many it can have heard of.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::bounds {

extern const BoundCard doubling_by_degree;

namespace doubling_by_degree_parts {
namespace {

struct Spreading {
  NodeId from{};
  uint32_t steps = 0;
  uint64_t own = 0;       // messages of a step at the node itself
  uint32_t if_alike = 0;  // steps if all nodes were like the one of most links
};

// How many nodes can send so many messages in a step, the most first.
using Alike = std::map<uint64_t, uint64_t, std::greater<>>;

// Of the others the first so many know, and inform so many a step.
void spread(Spreading& out, Alike others, uint64_t ranks) {
  if (--others[out.own] == 0) others.erase(out.own);
  for (UInt128 reached = 1; reached < ranks; reached *= 1 + std::max(out.own, others.begin()->first))
    ++out.if_alike;
  uint64_t knowing = 0;
  uint64_t a_step = out.own;
  while (knowing + 1 < ranks && a_step > 0) {
    for (uint64_t more = a_step; more > 0 && !others.empty();) {
      const auto first = others.begin();
      const uint64_t now = std::min(more, first->second);
      knowing += now;
      more -= now;
      a_step += now * first->first;
      if ((first->second -= now) == 0) others.erase(first);
    }
    ++out.steps;
  }
}

// From the endpoint where it takes longest, or from the root. `capacity_of` says which of a node's counts.
Spreading slowest(const Problem& problem, uint64_t NodeKind::*capacity_of, Ports ports) {
  const Topology& topology = problem.topology();
  const bool shared = problem.model().switching == Switching::kShared;
  const auto most = [&](const NodeKind& kind) {
    return limited(ports, shared ? topology.num_nodes() - 1 : kind.*capacity_of);
  };
  const std::optional<Rank> root = problem.collective().root();
  Spreading out;
  out.from = topology.endpoint(root ? *root : Rank{0});
  out.own = root ? most(kind_of(topology, out.from)) : UINT64_MAX;
  Alike all;
  for (const NodeKind& kind : topology.is_outline() ? node_kinds(topology) : each_node(topology)) {
    const uint64_t here = most(kind);
    all[here] += kind.count;
    if (root || !topology.rank(kind.first)) continue;
    if (here > out.own || (here == out.own && out.from <= kind.first)) continue;
    out.own = here;
    out.from = kind.first;
  }
  spread(out, std::move(all), problem.collective().num_ranks());
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().num_ranks() < 2) return std::nullopt;
  const CollectiveKind kind = problem.collective().kind();
  const bool only_informs = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  const bool only_hears = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  std::optional<Bound> best;
  const auto offer = [&](const Spreading& spreading, std::string_view verb) {
    const Rational value(spreading.steps);
    if (spreading.steps == spreading.if_alike) return;  // as doubling says
    if (best && value <= best->value) return;
    best =
        Bound{doubling_by_degree.name, value,
              fmt::format("node {} can {} at most {} a step, and even if those of most links come first, {} "
                          "steps pass until that makes {}",
                          problem.topology().label(spreading.from), verb, plural(spreading.own, "other"),
                          spreading.steps, problem.collective().num_ranks()),
              BoundOn::kSteps, InformedWitness{spreading.from, 1}};
  };
  if (!only_hears) offer(slowest(problem, &NodeKind::out, problem.model().send), "inform");
  if (!only_informs) offer(slowest(problem, &NodeKind::in, problem.model().receive), "hear from");
  return best;
}

}  // namespace
}  // namespace doubling_by_degree_parts

constinit const BoundCard doubling_by_degree = {
    .name = "doubling_by_degree",
    .summary = "how fast one node's data can spread if the nodes of most links and ports are informed first",
    .source = "folklore, node by node; ours",
    .knows_outlines = true,
    .evaluate = doubling_by_degree_parts::evaluate,
};

}  // namespace quadrille::bounds
