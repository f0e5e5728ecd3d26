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

// Each end in turn, and back again, with cuts and without: as if nothing had been asked before.
TEST(MovingFlow, FindsTheCutsOfANetworkOfItsOwn) {
  Rng rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr uint32_t kNodes = 8;
    std::vector<RandomArc> arcs;
    for (int i = 0; i < 20; ++i) {
      const auto from = static_cast<uint32_t>(rng.below(kNodes));
      const auto to = static_cast<uint32_t>(rng.below(kNodes));
      if (from != to && from != FlowNetwork::kSink && to != FlowNetwork::kSource && to != FlowNetwork::kSink)
        arcs.push_back({from, to, 1 + rng.below(4)});
    }
    const auto with_arcs = [&] {
      FlowNetwork out;
      for (uint32_t v = 2; v < kNodes; ++v) static_cast<void>(out.add_node());
      for (const RandomArc& arc : arcs) out.add_arc(arc.from, arc.to, arc.capacity);
      return out;
    };
    FlowNetwork closed = with_arcs();
    for (uint32_t v = 2; v < kNodes; ++v) closed.add_arc(v, FlowNetwork::kSink, 0);
    MovingFlow moving(closed);
    for (int question = 0; question < 12; ++question) {
      std::vector<uint32_t> ends{2 + static_cast<uint32_t>(rng.below(kNodes - 2))};
      if (rng.below(2) == 0) ends.push_back(ends[0] == 2 ? 3 : 2);
      const uint64_t wanted = 1 + rng.below(6);
      FlowNetwork open = with_arcs();
      for (const uint32_t end : ends) open.add_arc(end, FlowNetwork::kSink, wanted);
      EXPECT_EQ(moving.cut_below(ends, wanted), open.cut_below(wanted)) << "trial " << trial;
    }
  }
}

}  // namespace maximum_flow_test
}  // namespace quadrille
