#include "quadrille/algorithms/packing/worms/disjoint_ways.h"

#include <gtest/gtest.h>

#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille::disjoint_ways_test {

std::vector<ArcId> along(const Topology& net, const std::vector<uint32_t>& nodes) {
  std::vector<ArcId> out;
  for (size_t i = 1; i < nodes.size(); ++i)
    out.push_back(*net.find_arc(NodeId{nodes[i - 1]}, NodeId{nodes[i]}));
  return out;
}

TEST(DisjointWays, FindsTheOneChoiceThatDoes) {
  const Topology net = parse_topology("ring(4)");
  DisjointWays ways(net, false);
  // 0 to 2 either way round, and 1 to 2 by its link alone.
  ways.add_way(along(net, {0, 1, 2}));
  ways.add_way(along(net, {0, 3, 2}));
  ways.next_worm();
  ways.add_way(along(net, {1, 2}));
  ways.next_worm();
  ASSERT_EQ(ways.can_all_go(100), DisjointWays::Answer::kYes);
  EXPECT_EQ(ways.chosen()[0], 1);
  EXPECT_EQ(ways.chosen()[1], 0);
}

TEST(DisjointWays, RefutesAndSaysWhereItDoesNotKnow) {
  const Topology net = parse_topology("ring(4)");
  DisjointWays ways(net, false);
  for (int worm = 0; worm < 3; ++worm) {
    ways.add_way(along(net, {0, 1, 2}));
    ways.add_way(along(net, {0, 3, 2}));
    ways.next_worm();
  }
  EXPECT_EQ(ways.can_all_go(100), DisjointWays::Answer::kNo);
  EXPECT_EQ(ways.can_all_go(1), DisjointWays::Answer::kUnknown);
  ways.clear();
  EXPECT_EQ(ways.can_all_go(100), DisjointWays::Answer::kYes);
}

TEST(DisjointWays, OfHalfDuplexTheArcBackIsTaken) {
  const Topology net = parse_topology("line(3)");
  for (const bool half : {false, true}) {
    DisjointWays ways(net, half);
    ways.add_way(along(net, {0, 1}));
    ways.next_worm();
    ways.add_way(along(net, {2, 1, 0}));
    ways.next_worm();
    EXPECT_EQ(ways.can_all_go(100), half ? DisjointWays::Answer::kNo : DisjointWays::Answer::kYes);
  }
}

TEST(DisjointWays, KnowsNothingOfWideLinksAndLargeNetworks) {
  for (const char* spec : {"fat_tree(2^3;exponential)", "torus(8,8)"}) {
    const Topology net = parse_topology(spec);
    DisjointWays ways(net, false);
    ways.add_way(std::vector<ArcId>{ArcId{0}});
    ways.next_worm();
    EXPECT_EQ(ways.can_all_go(100), DisjointWays::Answer::kUnknown) << spec;
  }
}

}  // namespace quadrille::disjoint_ways_test
