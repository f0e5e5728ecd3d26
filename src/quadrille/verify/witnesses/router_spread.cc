#include "quadrille/verify/witnesses/router_spread.h"

#include <algorithm>
#include <set>
#include <vector>

namespace quadrille {
namespace {

struct Told {
  uint64_t endpoints = 0;
  uint64_t routers = 0;
};

Told count(const Topology& net, const std::set<NodeId>& nodes) {
  Told out;
  for (const NodeId v : nodes) ++(net.rank(v) ? out.endpoints : out.routers);
  return out;
}

}  // namespace

uint64_t spread_through_routers(const Problem& problem, NodeId root, bool backwards) {
  const Topology& net = problem.topology();
  if (!net.has_routers()) return 0;
  std::vector<std::set<NodeId>> after(net.num_nodes());
  std::vector<std::set<NodeId>> before(net.num_nodes());
  for (const ArcId arc : net.arcs()) {
    const NodeId a = backwards ? net.head(arc) : net.tail(arc);
    const NodeId b = backwards ? net.tail(arc) : net.head(arc);
    if (net.rank(a) && net.rank(b)) return 0;
    after[index(a)].insert(b);
    before[index(b)].insert(a);
  }
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  const auto in_a_step = [&](uint64_t others) {
    return ports.unlimited() ? others : std::min<uint64_t>(others, ports.count);
  };
  // The most that any of a kind can tell in a step.
  const uint64_t by_root = in_a_step(after[index(root)].size());
  uint64_t by_endpoint = 0;
  Told by_router;
  for (const NodeId v : net.nodes()) {
    const std::set<NodeId>& others = after[index(v)];
    if (!net.rank(v)) {
      const Told told = count(net, others);
      by_router.endpoints = std::max(by_router.endpoints, in_a_step(told.endpoints));
      by_router.routers = std::max(by_router.routers, in_a_step(told.routers));
    } else if (v != root && !others.empty()) {
      const bool informer_is_one_of_them = std::ranges::includes(others, before[index(v)]);
      by_endpoint = std::max(by_endpoint, in_a_step(others.size() - (informer_is_one_of_them ? 1 : 0)));
    }
  }
  std::set<NodeId> reached{root};
  Told known{1, 0};
  uint64_t steps = 0;
  while (known.endpoints < net.num_endpoints()) {
    if (++steps > 2 * uint64_t{net.num_nodes()}) return 0;
    std::set<NodeId> farther = reached;
    for (const NodeId v : reached) farther.insert(after[index(v)].begin(), after[index(v)].end());
    reached = std::move(farther);
    const Told within = count(net, reached);
    const uint64_t endpoints = known.endpoints + known.routers * by_router.endpoints;
    const uint64_t routers =
        known.routers * (1 + by_router.routers) + by_root + (known.endpoints - 1) * by_endpoint;
    known = {std::min(endpoints, within.endpoints), std::min(routers, within.routers)};
  }
  return steps;
}

}  // namespace quadrille
