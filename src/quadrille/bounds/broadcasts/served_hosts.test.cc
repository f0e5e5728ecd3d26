#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/broadcasts/broadcast_optimum.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace served_hosts_test {

// Of a broadcast from the first endpoint; 0 where nothing is said. A reduction's is the same.
int64_t bound(const std::string& spec, uint32_t count) {
  const Topology net = parse_topology(spec);
  const auto of = [&](CollectiveKind kind) {
    const std::optional<Bound> found =
        bound_catalog()
            .find("served_hosts")
            ->evaluate(standard_problem(net, kind, ports(count), net.endpoint(Rank{0})));
    return found ? found->value.ceil() : 0;
  };
  EXPECT_EQ(of(CollectiveKind::kBroadcast), of(CollectiveKind::kReduce)) << spec;
  return of(CollectiveKind::kBroadcast);
}

TEST(ServedHosts, AreServedOneByOne) {
  // The switch of the root, four spines at the most, and so on: 16 leaf switches can know after 6 steps, and serve 8 hosts each.
  EXPECT_EQ(bound("xgft(8,16;1,8)", 1), 14);
  EXPECT_EQ(bound("xgft(8,16;1,8)", 2), 9);
  EXPECT_EQ(bound("xgft(8,16;1,8)", 3), 7);
}

TEST(ServedHosts, AreNoneWithoutSwitches) {
  for (const char* spec : {"torus(4,4)", "complete(9)", "line(2)"}) EXPECT_EQ(bound(spec, 1), 0) << spec;
}

TEST(ServedHosts, AreNoMoreThanTheOptimum) { EXPECT_GT(testing::hold_against_optima("served_hosts"), 10U); }

}  // namespace served_hosts_test
}  // namespace quadrille
