// The quickest flow against figures of the theory, and against the largest flow of the network as it is step
// after step, which another program finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/search/maximum_flow.h"
#include "quadrille/topology/queries/successive_paths.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace quickest_flow_test {

std::optional<Bound> flow_bound(const Problem& problem) {
  return bound_catalog().find("quickest_flow")->evaluate(problem);
}

Problem broadcast(std::string_view spec, uint32_t pieces, uint32_t root = 0) {
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, {}, NodeId{root}, pieces);
}

int64_t steps(std::string_view spec, uint32_t pieces, uint32_t root = 0) {
  return flow_bound(broadcast(spec, pieces, root)).value().value.ceil();
}

TEST(QuickestFlow, KnowsTori) {
  EXPECT_EQ(steps("torus(4,4)", 16), 7);
  EXPECT_EQ(steps("torus(8,8)", 16), 11);
  EXPECT_EQ(steps("torus(8,8)", 32), 15);
  EXPECT_EQ(steps("torus(4,4,4)", 48), 13);
  EXPECT_EQ(steps("hypercube(6)", 48), 13);
  EXPECT_EQ(steps("torus(5,7)", 16), 9) << "one of the four paths to the farthest node is longer";
  EXPECT_EQ(steps("torus(3,3)", 32), 10);
  EXPECT_EQ(steps("torus(2,5)", 12), 7);
  for (uint32_t pieces = 2; pieces <= 20; ++pieces) {
    EXPECT_EQ(steps("torus(6,4)", pieces), (pieces + 3) / 4 + 5 - 1) << "even sides";
    int64_t least = 6;
    while (2 * (least - 6 + 1) + 2 * (least - 6) < pieces) ++least;
    EXPECT_EQ(steps("torus(5,9)", pieces, 17), least) << "odd sides";
    EXPECT_EQ(steps("mesh(5,6)", pieces), (pieces + 1) / 2 + 9 - 1) << "from a corner";
    EXPECT_EQ(steps("line(7)", pieces, 3), pieces + 2);
  }
}

TEST(QuickestFlow, LeavesOnePieceToTheDistance) {
  EXPECT_EQ(flow_bound(broadcast("torus(4,4)", 1)), std::nullopt);
  EXPECT_EQ(steps("line(2)", 5), 5);
  EXPECT_EQ(flow_bound(broadcast("line(1)", 5)), std::nullopt);
}

TEST(QuickestFlow, SaysWhatItRestsOn) {
  const Bound bound = flow_bound(broadcast("torus(5,7)", 16)).value();
  EXPECT_EQ(bound.witness,
            "over the best disjoint paths to (2,3), of 5, 5, 6, 6 hops, 8 steps bring 14 of 16 pieces");
  EXPECT_EQ(proved_by(broadcast("torus(5,7)", 16), bound.evidence.value()), Rational(9));
  const Problem back = standard_problem(parse_topology("line(3)"), CollectiveKind::kReduce, {}, NodeId{0}, 2);
  EXPECT_EQ(flow_bound(back).value().witness,
            "over the best path from 2, of 2 hops, 2 steps bring 1 of 2 pieces");
}

TEST(QuickestFlow, CountsRoundsWhereALinkCarriesManyPackets) {
  Model many;
  many.packets = Packets::kMany;
  const Bound bound =
      flow_bound(standard_problem(parse_topology("line(3)"), CollectiveKind::kBroadcast, many, NodeId{0}, 5))
          .value();
  EXPECT_EQ(bound.on, BoundOn::kCriticalBlocks);
  EXPECT_EQ(bound.value, Rational(6)) << "in two steps of five rounds, or in six of one";
  EXPECT_FALSE(bound.evidence.has_value());
}

TEST(QuickestFlow, IsSilentWhereNothingFollowsFromIt) {
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kScatter)),
            std::nullopt);
  Model worms;
  worms.switching = Switching::kWormhole;
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kBroadcast, worms)),
            std::nullopt);
}

// Of the network with a copy of every node for the end of every step.
bool arrive_in(const Topology& net, NodeId root, NodeId to, uint64_t pieces, uint64_t steps, bool backwards) {
  FlowNetwork network;
  std::vector<std::vector<uint32_t>> copies;
  for (uint64_t t = 0; t <= steps; ++t) {
    auto& now = copies.emplace_back();
    for (uint32_t v = 0; v < net.num_nodes(); ++v) now.push_back(network.add_node());
    if (t == 0) continue;
    for (uint32_t v = 0; v < net.num_nodes(); ++v) network.add_arc(copies[t - 1][v], now[v], pieces);
    for (const ArcId arc : net.arcs()) {
      const size_t tail = index(backwards ? net.head(arc) : net.tail(arc));
      const size_t head = index(backwards ? net.tail(arc) : net.head(arc));
      network.add_arc(copies[t - 1][tail], now[head], net.capacity(arc));
    }
  }
  network.add_arc(FlowNetwork::kSource, copies.front()[index(root)], pieces);
  network.add_arc(copies.back()[index(to)], FlowNetwork::kSink, pieces);
  return network.flow_of(pieces).has_value();
}

TEST(SuccessivePaths, FindTheQuickestFlowAndTheCutThatSaysSo) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const uint32_t size = 3 + static_cast<uint32_t>(rng.below(7));
    Topology net = rng.below(2) == 0 ? testing::random_directed_topology(rng, size, false)
                                     : testing::random_topology(rng, size, false);
    const bool backwards = rng.below(2) == 0;
    const NodeId root = id_at<NodeId>(rng.below(size));
    const auto pieces = static_cast<uint32_t>(1 + rng.below(rng.below(3) == 0 ? 100 : 8));
    SuccessivePaths flow(net, root, backwards);
    const Problem problem = standard_problem(
        net, backwards ? CollectiveKind::kReduce : CollectiveKind::kBroadcast, {}, root, pieces);
    for (const NodeId v : net.nodes()) {
      if (v == root) continue;
      const uint64_t steps = flow.quickest(v, pieces);
      EXPECT_TRUE(arrive_in(net, root, v, pieces, steps, backwards));
      EXPECT_FALSE(arrive_in(net, root, v, pieces, steps - 1, backwards));
      EXPECT_EQ(flow.times().at(index(v)), steps);
      EXPECT_EQ(proved_by(problem, TimesWitness{flow.times()}), Rational(static_cast<int64_t>(steps)));
      EXPECT_LE(flow.quickest(v, pieces, steps), steps) << "once it is known not to be more, that will do";
    }
  }
}

TEST(QuickestFlow, IsTheSlowestNodesWhereverItLooks) {
  Rng rng(6);
  for (int round = 0; round < 200; ++round) {
    const Topology net = testing::random_topology(rng, 3 + static_cast<uint32_t>(rng.below(12)), false);
    const auto pieces = static_cast<uint32_t>(2 + rng.below(20));
    SuccessivePaths flow(net, NodeId{0}, false);
    uint64_t slowest = 0;
    for (const NodeId v : net.nodes()) slowest = std::max(slowest, flow.quickest(v, pieces));
    const auto bound =
        flow_bound(standard_problem(net, CollectiveKind::kBroadcast, {}, NodeId{0}, pieces)).value();
    EXPECT_EQ(bound.value, Rational(static_cast<int64_t>(slowest)));
  }
}

}  // namespace quickest_flow_test
}  // namespace quadrille
