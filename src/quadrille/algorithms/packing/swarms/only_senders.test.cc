#include "quadrille/algorithms/packing/swarms/only_senders.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_swarm;
extern const Algorithm allreduce_swarm;
extern const Algorithm broadcast_swarm;
}  // namespace algorithms

namespace only_senders_test {

TEST(OnlySenders, AreSwitchesOfHostsAndNeighboursOfLeaves) {
  const Topology fabric = parse_topology("clos(4)");
  const std::vector<OnlySender> switches = only_senders(fabric, kOnePort);
  size_t hosts = 0;
  for (const OnlySender& leaf : switches) {
    EXPECT_EQ(leaf.sends, 1U);
    EXPECT_EQ(leaf.late, 1U);
    hosts += leaf.receivers.size();
  }
  EXPECT_EQ(hosts, fabric.num_endpoints());
  EXPECT_TRUE(only_senders(parse_topology("torus(4,4)"), kOnePort).empty());
  EXPECT_TRUE(only_senders(parse_topology("complete(1)"), kOnePort).empty());

  // Of a line of four nodes the inner ones lead to the ends; of two nodes each leads to the other.
  const std::vector<OnlySender> inner = only_senders(parse_topology("line(4)"), kAllPorts);
  ASSERT_EQ(inner.size(), 2U);
  EXPECT_EQ(inner.front().sends, 2U);
  EXPECT_EQ(inner.front().late, 0U);
  EXPECT_EQ(only_senders(parse_topology("complete(2)"), kAllPorts).size(), 2U);
}

// Of a Cayley graph one node is asked, and it says what all of them would.
TEST(OnlySenders, OneNodeOfACayleyGraphSaysWhatAllDo) {
  for (const char* spec :
       {"ring(1)", "ring(2)", "ring(7)", "torus(3,4)", "hypercube(4)", "star(4)", "circulant(11;1,3)"}) {
    const Topology named = parse_topology(spec);
    ASSERT_NE(named.cayley(), nullptr) << spec;
    const Topology unnamed = numbered_anew(named, 1);
    ASSERT_EQ(unnamed.cayley(), nullptr) << spec;
    for (const uint32_t few : {1U, 2U, 0U}) {
      if (few > named.out_degree(NodeId{0})) continue;
      const Model model = few == 0 ? Model{} : ports(few);
      const auto at_least = [&](const Topology& topology) {
        return swarm_at_least(standard_problem(topology, CollectiveKind::kAllgather, model, NodeId{0}, 3));
      };
      EXPECT_EQ(at_least(named), at_least(unnamed)) << spec << " with ports " << few;
    }
  }
}

// What must be sent is no more than what plans send, and where switches have one port they do little else.
TEST(OnlySenders, SayWhatSwarmsTakeAtLeast) {
  for (const char* spec :
       {"clos(4)", "dragonfly(1,2,1)", "jellyfish(6,4,2;1)", "xgft(2,3,3;1,2,2)", "line(5)"}) {
    for (const Ports few : {kOnePort, Ports{2}}) {
      for (const uint32_t pieces : {3U, 2U, 16U}) {
        if (pieces == 16 && few == kOnePort && !Sample::whole()) continue;
        const auto problem = [&](CollectiveKind kind) {
          return standard_problem(parse_topology(spec), kind, ports(few.count), NodeId{0}, pieces);
        };
        const Problem broadcast =
            standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, ports(few.count),
                             parse_topology(spec).endpoints().back(), pieces);
        EXPECT_LE(swarm_at_least(broadcast), judged_steps(algorithms::broadcast_swarm, broadcast)) << spec;
        const Problem gather = problem(CollectiveKind::kAllgather);
        EXPECT_LE(swarm_at_least(gather), judged_steps(algorithms::allgather_swarm, gather)) << spec;
        EXPECT_GT(judged_steps(algorithms::allreduce_swarm, problem(CollectiveKind::kAllreduce)), 0U) << spec;
      }
    }
  }
  const Topology fabric = parse_topology("clos(4)");
  const Problem stream =
      standard_problem(fabric, CollectiveKind::kBroadcast, ports(1), fabric.endpoints().front(), 64);
  // A leaf away from the root sends each piece to its two hosts, one after the other.
  EXPECT_GE(swarm_at_least(stream), 2U * 64U);
  EXPECT_LE(judged_steps(algorithms::broadcast_swarm, stream), 2U * 64U + 16U);
}

}  // namespace only_senders_test
}  // namespace quadrille
