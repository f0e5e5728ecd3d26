#include "quadrille/search/maximum_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/random.h"

namespace quadrille {
namespace maximum_flow_test {

using ::testing::ElementsAre;

TEST(MaximumFlow, GoesThroughTheNarrowestArc) {
  FlowNetwork network;
  const uint32_t middle = network.add_node();
  network.add_arc(FlowNetwork::kSource, middle, 3);
  network.add_arc(middle, FlowNetwork::kSink, 2);
  const auto flow = network.flow_of(2);
  ASSERT_TRUE(flow);
  EXPECT_THAT(*flow, ElementsAre(2, 2));
  EXPECT_FALSE(network.flow_of(3));
}

TEST(MaximumFlow, IsAsLargeAsACut) {
  FlowNetwork network;
  const uint32_t middle = network.add_node();
  const uint32_t beside = network.add_node();
  network.add_arc(FlowNetwork::kSource, middle, 3);
  network.add_arc(middle, FlowNetwork::kSink, 2);
  network.add_arc(beside, middle, 7);
  EXPECT_FALSE(network.cut_below(2));
  const auto cut = network.cut_below(3);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->at(FlowNetwork::kSource), 1);
  EXPECT_EQ(cut->at(FlowNetwork::kSink), 0);
  EXPECT_EQ(cut->at(middle), 1);
}

TEST(MaximumFlow, TakesBackWhatStandsInTheWay) {
  // The first path, over the arc between the two middle nodes, must be undone.
  FlowNetwork network;
  const uint32_t a = network.add_node();
  const uint32_t b = network.add_node();
  network.add_arc(FlowNetwork::kSource, a, 1);
  network.add_arc(a, b, 1);
  network.add_arc(b, FlowNetwork::kSink, 1);
  network.add_arc(FlowNetwork::kSource, b, 1);
  network.add_arc(a, FlowNetwork::kSink, 1);
  const auto flow = network.flow_of(2);
  ASSERT_TRUE(flow);
  EXPECT_THAT(*flow, ElementsAre(1, 0, 1, 1, 1));
}

TEST(MaximumFlow, NothingFlowsWhereNoPathLeads) {
  FlowNetwork network;
  EXPECT_TRUE(network.flow_of(0));
  EXPECT_FALSE(network.flow_of(1));
  network.add_arc(FlowNetwork::kSource, network.add_node(), 5);
  EXPECT_FALSE(network.flow_of(1));
}

struct RandomArc {
  uint32_t from;
  uint32_t to;
  uint64_t capacity;
};

// The smallest cut, over all sets of nodes with the source and without the sink.
uint64_t smallest_cut(uint32_t nodes, const std::vector<RandomArc>& arcs) {
  uint64_t least = UINT64_MAX;
  for (uint32_t set = 0; set < (1U << nodes); ++set) {
    if ((set & 1U) == 0 || (set & 2U) != 0) continue;
    uint64_t cut = 0;
    for (const RandomArc& arc : arcs) {
      if ((set >> arc.from & 1U) != 0 && (set >> arc.to & 1U) == 0) cut += arc.capacity;
    }
    least = std::min(least, cut);
  }
  return least;
}

TEST(MaximumFlow, IsTheSmallestCutAndKeptAtEveryNode) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const auto nodes = static_cast<uint32_t>(3 + rng.below(6));
    FlowNetwork network;
    for (uint32_t v = 2; v < nodes; ++v) (void)network.add_node();
    std::vector<RandomArc> arcs;
    for (uint64_t k = 0; k < 3 * nodes; ++k) {
      const RandomArc arc{static_cast<uint32_t>(rng.below(nodes)), static_cast<uint32_t>(rng.below(nodes)),
                          rng.below(5)};
      arcs.push_back(arc);
      network.add_arc(arc.from, arc.to, arc.capacity);
    }
    const uint64_t most = smallest_cut(nodes, arcs);
    EXPECT_FALSE(network.flow_of(most + 1));
    const auto flow = network.flow_of(most);
    ASSERT_TRUE(flow) << round;
    std::vector<int64_t> gained(nodes, 0);
    for (size_t k = 0; k < arcs.size(); ++k) {
      ASSERT_LE((*flow)[k], arcs[k].capacity);
      gained[arcs[k].to] += static_cast<int64_t>((*flow)[k]);
      gained[arcs[k].from] -= static_cast<int64_t>((*flow)[k]);
    }
    EXPECT_EQ(gained[FlowNetwork::kSink], static_cast<int64_t>(most));
    for (uint32_t v = 2; v < nodes; ++v) EXPECT_EQ(gained[v], 0) << round;
  }
}

}  // namespace maximum_flow_test
}  // namespace quadrille
