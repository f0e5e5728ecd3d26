// Routers are no endpoints: against every way in which routers and endpoints may come to know.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace routers_are_no_endpoints_test {

Rational bound_of(std::string_view spec, CollectiveKind kind, Ports ports = kAllPorts) {
  const Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole};
  const auto bounds = bounds_of(*bound_catalog().find("routers_are_no_endpoints"),
                                standard_problem(parse_topology(spec), kind, model));
  return bounds.empty() ? Rational(0) : bounds.front().value;
}

// Slow and obvious: all pairs of how many endpoints and routers know, step by step.
int64_t steps_of(std::string_view spec, uint64_t ports) {
  const Topology net = parse_topology(spec);
  std::vector<uint64_t> sends[2];
  for (const NodeId v : net.nodes()) {
    uint64_t links = 0;
    for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
    if (v != net.endpoints().front())
      sends[net.rank(v) ? 0 : 1].push_back(ports == 0 ? links : std::min(links, ports));
  }
  uint64_t own = 0;
  for (const ArcId arc : net.arcs_from(net.endpoints().front())) own += net.capacity(arc);
  if (ports > 0) own = std::min(own, ports);
  for (auto& of : sends) std::sort(of.begin(), of.end(), std::greater());
  std::set<std::pair<uint64_t, uint64_t>> known{{0, 0}};
  for (int64_t steps = 0;; ++steps) {
    std::set<std::pair<uint64_t, uint64_t>> next;
    for (const auto& [e, r] : known) {
      if (e == sends[0].size()) return steps;
      uint64_t sent = own;
      for (uint64_t i = 0; i < e; ++i) sent += sends[0][i];
      for (uint64_t i = 0; i < r; ++i) sent += sends[1][i];
      for (uint64_t to_e = e; to_e <= std::min<uint64_t>(sends[0].size(), e + sent); ++to_e)
        for (uint64_t to_r = r; to_r <= std::min<uint64_t>(sends[1].size(), r + sent - (to_e - e)); ++to_r)
          next.emplace(to_e, to_r);
    }
    known = std::move(next);
  }
}

TEST(RoutersAreNoEndpoints, LooksAtNoWayTooFew) {
  // Hosts alike, so that any is the slowest.
  for (const std::string_view spec : {"dragonfly(2,4,2)", "jellyfish(8,3,2;1)", "clos(4)", "fat_tree(2,3)",
                                      "megafly(2,2,2,1)", "xgft(4,4;1,2)", "gpu_box(8,6;2)"}) {
    for (const uint32_t ports : {0U, 1U, 2U}) {
      const Rational steps(steps_of(spec, ports));
      for (const CollectiveKind kind :
           {CollectiveKind::kBroadcast, CollectiveKind::kAllgather, CollectiveKind::kReduce})
        EXPECT_EQ(bound_of(spec, kind, Ports{ports}), steps) << spec << " " << ports;
    }
  }
  EXPECT_EQ(bound_of("dragonfly(2,4,2)", CollectiveKind::kBroadcast), Rational(4));
  EXPECT_EQ(bound_of("torus(4,4)", CollectiveKind::kBroadcast), Rational(0)) << "it has no routers";
}

}  // namespace routers_are_no_endpoints_test
}  // namespace quadrille
