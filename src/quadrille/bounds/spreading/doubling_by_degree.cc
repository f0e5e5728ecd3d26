// Doubling by degree: nodes that know inform as many others in a step as they have links and ports; at the best the
// node of most links is informed first, then the next one.
//
// Doubling takes the node of most links for all of them. A host on one link, a corner of a mesh, or what a failure
// has left of a node informs fewer, and whoever must be heard by all begins with its own links. Where all must
// hear from all the worst endpoint counts, and the same backwards: how many it can have heard of.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

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

// From the endpoint where it takes longest, or from the root.
Spreading slowest(const Problem& problem, const std::vector<uint64_t>& capacities, Ports ports) {
  const Topology& topology = problem.topology();
  std::vector<uint64_t> most;
  for (const NodeId v : topology.nodes()) {
    most.push_back(limited(ports, problem.model().switching == Switching::kShared ? topology.num_nodes() - 1
                                                                                  : capacities[index(v)]));
  }
  Spreading out;
  const std::optional<Rank> root = problem.collective().root();
  out.from = topology.endpoint(root ? *root : Rank{0});
  if (!root) {
    for (const NodeId v : topology.endpoints())
      if (most[index(v)] < most[index(out.from)]) out.from = v;
  }
  out.own = most[index(out.from)];
  std::vector<uint64_t> others = most;
  others.erase(others.begin() + static_cast<ptrdiff_t>(index(out.from)));
  std::sort(others.begin(), others.end(), std::greater<>());
  const uint64_t ranks = problem.collective().num_ranks();
  for (UInt128 reached = 1; reached < ranks; reached *= 1 + std::max(out.own, others.front())) ++out.if_alike;
  // Of the others the first so many know, and inform so many a step.
  size_t knowing = 0;
  uint64_t a_step = out.own;
  while (knowing + 1 < ranks && a_step > 0) {
    const uint64_t next = std::min<uint64_t>(others.size(), knowing + a_step);
    for (; knowing < next; ++knowing) a_step += others[knowing];
    ++out.steps;
  }
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().num_ranks() < 2) return std::nullopt;
  const NodeCapacities capacities = node_capacities(problem.topology());
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
  if (!only_hears) offer(slowest(problem, capacities.out, problem.model().send), "inform");
  if (!only_informs) offer(slowest(problem, capacities.in, problem.model().receive), "hear from");
  return best;
}

}  // namespace
}  // namespace doubling_by_degree_parts

constinit const BoundCard doubling_by_degree = {
    .name = "doubling_by_degree",
    .summary = "how fast one node's data can spread if the nodes of most links and ports are informed first",
    .source = "folklore, node by node; ours",
    .evaluate = doubling_by_degree_parts::evaluate,
};

}  // namespace quadrille::bounds
