#include "quadrille/topology/queries/spread_by_routers.h"

#include <algorithm>
#include <vector>

#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// The most links that any router, or endpoint, has to routers and to endpoints.
struct Widest {
  uint64_t router_to_router = 0;
  uint64_t router_to_endpoint = 0;
  uint64_t endpoint_to_router = 0;
  bool are_endpoints_linked = false;
};

Widest widest(const Topology& topology, bool backwards) {
  struct EndCounts {
    uint64_t to_routers = 0;
    uint64_t to_endpoints = 0;
  };
  std::vector<EndCounts> links(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const NodeId tail = backwards ? topology.head(arc) : topology.tail(arc);
    const NodeId head = backwards ? topology.tail(arc) : topology.head(arc);
    ++(topology.rank(head) ? links[index(tail)].to_endpoints : links[index(tail)].to_routers);
  }
  Widest out;
  for (const NodeId v : topology.nodes()) {
    const EndCounts& here = links[index(v)];
    if (topology.rank(v)) {
      out.endpoint_to_router = std::max(out.endpoint_to_router, here.to_routers);
      out.are_endpoints_linked = out.are_endpoints_linked || here.to_endpoints > 0;
    } else {
      out.router_to_router = std::max(out.router_to_router, here.to_routers);
      out.router_to_endpoint = std::max(out.router_to_endpoint, here.to_endpoints);
    }
  }
  return out;
}

}  // namespace

uint32_t steps_by_routers(const Topology& topology, NodeId from, uint64_t a_step, bool backwards) {
  const uint64_t all = topology.num_endpoints();
  if (!topology.has_routers() || all < 2 || a_step == 0) return 0;
  const Widest most = widest(topology, backwards);
  if (most.are_endpoints_linked) return 0;
  const std::vector<uint32_t> hops =
      backwards ? distances_to(topology, from) : distances_from(topology, from);
  // How many are no further than so far.
  std::vector<uint64_t> endpoints(*std::ranges::max_element(hops) + size_t{1}, 0);
  std::vector<uint64_t> routers(endpoints.size(), 0);
  for (const NodeId v : topology.nodes()) ++(topology.rank(v) ? endpoints : routers)[hops[index(v)]];
  for (size_t d = 1; d < endpoints.size(); ++d) {
    endpoints[d] += endpoints[d - 1];
    routers[d] += routers[d - 1];
  }
  // Who has heard of it from a router need not tell that one; where links go one way it may have no link back.
  const uint64_t by_first = std::min(a_step, most.endpoint_to_router);
  const uint64_t informer = topology.is_directed() ? 0 : std::min<uint64_t>(most.endpoint_to_router, 1);
  const uint64_t by_other = std::min(a_step, most.endpoint_to_router - informer);
  uint64_t informed_endpoints = 1;
  uint64_t informed_routers = 0;
  uint32_t steps = 0;
  while (informed_endpoints < all) {
    const size_t within = std::min(size_t{steps} + 1, endpoints.size() - 1);
    const uint64_t by_routers = informed_routers * std::min(a_step, most.router_to_endpoint);
    const uint64_t among_routers = informed_routers * std::min(a_step, most.router_to_router) + by_first +
                                   (informed_endpoints - 1) * by_other;
    const uint64_t more = std::min(endpoints[within], informed_endpoints + by_routers);
    informed_routers = std::min(routers[within], informed_routers + among_routers);
    informed_endpoints = more;
    ++steps;
  }
  return steps;
}

}  // namespace quadrille
