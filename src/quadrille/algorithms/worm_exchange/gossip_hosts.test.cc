#include "quadrille/algorithms/worm_exchange/gossip_hosts.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/topology/topology_spec.h"

namespace quadrille::gossip_hosts_test {

Problem gossip(std::string_view spec, Ports ports) {
  const Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole};
  return standard_problem(parse_topology(spec), CollectiveKind::kAllgather, model);
}

TEST(GossipHosts, TellTheirSwitchesAndAreTold) {
  const Problem problem = gossip("fat_tree(4,4)", Ports{2});
  const GossipSteps from = gossip_from_hosts(problem);
  ASSERT_EQ(from.size(), 2U);  // a switch hears two of its four at once
  EXPECT_EQ(from[0].size(), 8U);
  const GossipSteps to = gossip_to_hosts(problem, from);
  ASSERT_EQ(to.size(), 2U);
  EXPECT_EQ(to[1].size(), 8U);
  EXPECT_EQ(to[0][0].to, from[0][0].from);
}

TEST(GossipHosts, AreNoneWhereAnEndpointHasMoreLinks) {
  EXPECT_TRUE(gossip_from_hosts(gossip("torus(4,4)", kAllPorts)).empty());
  EXPECT_TRUE(gossip_from_hosts(gossip("line(4)", kAllPorts)).empty());
}

TEST(LeastGossipSteps, CountsWhomOneCanInformAndTheLinks) {
  EXPECT_EQ(least_gossip_steps(gossip("complete(16)", kOnePort)), 4U);
  EXPECT_EQ(least_gossip_steps(gossip("complete(16)", kAllPorts)), 1U);
  EXPECT_EQ(least_gossip_steps(gossip("line(16)", kOnePort)), 5U);
  EXPECT_EQ(least_gossip_steps(gossip("fat_tree(4,4)", kAllPorts)), 3U);
}

TEST(LeastGossipSteps, AmongSwitchesLeaveTheHostsOut) {
  // Four switches below one, each with a link to it: with the links to hosts a step would seem to do.
  const Problem problem = gossip("fat_tree(4,4)", kAllPorts);
  std::vector<NodeId> switches;
  for (const std::vector<GossipWorm>& step : gossip_from_hosts(problem))
    for (const GossipWorm& worm : step) switches.push_back(worm.to);
  EXPECT_EQ(least_gossip_steps(problem, switches), 2U);
}

}  // namespace quadrille::gossip_hosts_test
