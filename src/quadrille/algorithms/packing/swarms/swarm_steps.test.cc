#include "quadrille/algorithms/packing/swarms/swarm_steps.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace swarm_steps_test {

// Two hosts on a switch with a second one behind it: what goes there is for nobody.
TEST(SwarmSteps, LeaveOutWhatRoutersGotForNobody) {
  const Topology net = parse_topology("edges(\"a s0, b s0, s0 s1\";\"switches s*\")");
  const auto arc = [&](uint32_t from, uint32_t to) {
    for (const ArcId one : net.arcs())
      if (index(net.tail(one)) == from && index(net.head(one)) == to) return one;
    return kNoArc;
  };
  uint32_t a = 0, b = 0, s = 0, t = 0;
  for (const NodeId v : net.nodes()) {
    const auto number = static_cast<uint32_t>(index(v));
    (net.label(v) == "a" ? a : net.label(v) == "b" ? b : net.label(v) == "s0" ? s : t) = number;
  }
  SwarmSteps steps{{{arc(a, s), 0}}, {{arc(s, t), 0}}, {{arc(s, b), 0}}};
  leave_out_needless(net, 1, steps);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].size(), 1U);
  EXPECT_TRUE(steps[1].empty());
  EXPECT_EQ(steps[2].size(), 1U);
  const Plan plan = plan_of(std::move(steps));
  EXPECT_EQ(plan.num_steps(), 2U) << "an empty step is none";
  EXPECT_EQ(plan.num_transfers(), 2U);
}

TEST(SwarmSteps, KeepAllWhereThereAreNoRouters) {
  const Topology net = parse_topology("ring(4)");
  SwarmSteps steps{{{ArcId{0}, 0}, {ArcId{1}, 1}}};
  leave_out_needless(net, 2, steps);
  EXPECT_EQ(steps[0].size(), 2U);
}

}  // namespace swarm_steps_test
}  // namespace quadrille
