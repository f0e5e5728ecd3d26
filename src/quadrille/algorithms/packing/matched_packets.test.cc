#include "quadrille/algorithms/packing/matched_packets.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Problem exchange(const Topology& net, Model model = ports(1), uint32_t pieces = 1) {
  return standard_problem(net, CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

uint64_t steps_on(std::string_view spec, Model model = ports(1)) {
  return judged_steps(*algorithm_catalog().find("alltoall_matchings"), exchange(parse_topology(spec), model));
}

TEST(MatchedPackets, KeepTheMiddleOfATreeBusyInEveryStep) {
  EXPECT_EQ(steps_on("line(5)"), 12U);
  EXPECT_EQ(steps_on("line(16)"), 127U);
  EXPECT_EQ(steps_on("tree(2,2)"), 24U);
  EXPECT_EQ(steps_on("tree(2,2,2)"), 128U);
  EXPECT_EQ(steps_on("tree(3,3)"), 108U);
}

TEST(MatchedPackets, AreAtTheBoundOfSmallMeshes) {
  for (const std::string_view spec : {"mesh(3,3)", "mesh(4,4)", "mesh(5,3)"}) {
    const Problem problem = exchange(parse_topology(spec));
    EXPECT_EQ(static_cast<int64_t>(steps_on(spec)), best_bound(problem).value.ceil()) << spec;
  }
  EXPECT_LE(steps_on("mesh(8,8)"), 354U) << "the bound is 351";
}

TEST(MatchedPackets, ServeLargerNetworksWhereNothingIsKnownOfThem) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_matchings");
  EXPECT_TRUE(card.applies(exchange(parse_topology("random_regular(600,3;1)"))).applies);
  EXPECT_FALSE(card.applies(exchange(parse_topology("ring(600)"))).applies);
  EXPECT_TRUE(card.applies(exchange(parse_topology("ring(512)"))).applies);
}

TEST(MatchedPackets, ArePlansForAnyNetwork) {
  Rng rng(31);
  uint64_t steps = 0;
  int64_t least = 0;
  for (int round = 0; round < 60; ++round) {
    const auto size = 2 + static_cast<uint32_t>(rng.below(12));
    const Topology net = rng.below(3) == 0 ? testing::random_directed_topology(rng, size, true)
                                           : testing::random_topology(rng, size, rng.below(2) == 0);
    if (net.num_endpoints() < 2) continue;
    Model model = rng.below(3) == 0 ? ports(1, 0) : ports(1);
    if (rng.below(3) == 0) model.duplex = Duplex::kHalf;
    const Problem problem = exchange(net, model, 1 + static_cast<uint32_t>(rng.below(2)));
    const SpreadRoutes routes(net);
    const Verification made = verify(problem, matched_packets(problem, routes));
    ASSERT_TRUE(made.verdict.passed()) << problem.title() << "\n" << to_text(made.verdict.findings.front());
    EXPECT_GE(made.verdict.figures.steps, routes.busiest() * problem.collective().pieces());
    steps += made.verdict.figures.steps;
    least += best_bound(problem).value.ceil();
  }
  EXPECT_LE(static_cast<double>(steps), 1.1 * static_cast<double>(least));
}

TEST(SpreadRoutes, AreWholePathsFromEveryEndpointToEveryOther) {
  const Topology net = parse_topology("mesh(4,5)");
  const SpreadRoutes routes(net);
  for (uint32_t s = 0; s < net.num_endpoints(); ++s) {
    EXPECT_TRUE(routes.path(Rank{s}, Rank{s}).empty());
    for (uint32_t t = 0; t < net.num_endpoints(); ++t) {
      NodeId at = net.endpoint(Rank{s});
      for (const ArcId arc : routes.path(Rank{s}, Rank{t})) {
        ASSERT_EQ(net.tail(arc), at);
        at = net.head(arc);
      }
      EXPECT_EQ(at, net.endpoint(Rank{t}));
    }
  }
}

TEST(SpreadRoutes, GoAroundTheMiddle) {
  // Shortest paths load the middle of the mesh with 374 blocks and more.
  EXPECT_LE(SpreadRoutes(parse_topology("mesh(8,8)")).busiest(), 354U);
  EXPECT_EQ(SpreadRoutes(parse_topology("line(16)")).busiest(), 127U);
}

}  // namespace
}  // namespace quadrille
