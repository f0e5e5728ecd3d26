// What nodes must send into the parts that a network falls into without them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace bounds {
extern const BoundCard middle_nodes;
}  // namespace bounds

namespace middle_nodes_test {
namespace {

Problem spreading_on(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, ports(count), NodeId{0}, pieces);
}

Rational value_of(const Problem& problem) {
  const std::optional<Bound> bound = bounds::middle_nodes.evaluate(problem);
  if (!bound) return 0;
  EXPECT_TRUE(bound->evidence.has_value());
  EXPECT_EQ(find_mistake(*bound->evidence, problem.topology()), std::nullopt);
  EXPECT_LE(bound->value, proved_by(problem, *bound->evidence)) << bound->witness;
  return bound->value;
}

// Two hubs, and eight pairs of nodes that each hang on both: last hops could come from within a pair.
constexpr std::string_view kPairs =
    "edges(\"x a1, x a2, x b1, x b2, x c1, x c2, x d1, x d2, y a1, y a2, y b1, y b2, y c1, y c2, y d1, y d2, "
    "a1 a2, b1 b2, c1 c2, d1 d2\")";

TEST(MiddleNodes, SendIntoAllPartsButTheOneWhereABlockBegins) {
  for (const auto kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    // Ten blocks, four parts: three sends for each of eight of them, four for the two of the hubs.
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, 1)), Rational::of(8 * 3 + 2 * 4, 2));
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, 1, 3)), Rational::of(3 * (8 * 3 + 2 * 4), 2));
    EXPECT_EQ(value_of(spreading_on(kPairs, kind, 2)), Rational::of(8 * 3 + 2 * 4, 4));
  }
  // From the first node, which is in one of the four parts.
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kBroadcast, 1, 5)), Rational::of(5 * 3, 2));
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kReduce, 1, 5)), Rational::of(5 * 3, 2));
}

// Until one of the two hubs or four pairs has a sum, all hubs but that one have sent what they add to it.
TEST(MiddleNodes, SendTheirSharesOfASumBeforeItIsWhole) {
  const Problem pairs = spreading_on(kPairs, CollectiveKind::kAllreduce, 1, 6);
  EXPECT_EQ(value_of(pairs), Rational::of(6 * (4 + 2 - 1), 2));
  EXPECT_NE(bounds::middle_nodes.evaluate(pairs)->witness.find("their own among them"), std::string::npos);
  // The middle of a star sends to all others but once to itself.
  EXPECT_EQ(value_of(spreading_on("edges(\"a m, b m, c m\")", CollectiveKind::kAllreduce, 1, 4)),
            Rational(4 * 3));
  // Nine nodes that each hang on all of three.
  TopologyBuilder builder("three and nine", 12);
  for (uint32_t hub = 0; hub < 3; ++hub)
    for (uint32_t leaf = 3; leaf < 12; ++leaf) builder.link(NodeId{hub}, NodeId{leaf});
  const Topology nine = builder.build();
  for (const uint32_t count : {1U, 2U}) {
    const Problem problem = standard_problem(nine, CollectiveKind::kAllreduce, ports(count), NodeId{0}, 5);
    EXPECT_EQ(value_of(problem), Rational::of(5 * (9 + 3 - 1), 3 * int64_t{count}));
  }
}

// Three stars whose hubs are linked: from star to star blocks go over links between hubs, besides.
TEST(MiddleNodes, SendToOneAnotherWhereNothingElseJoinsTheirGroups) {
  constexpr std::string_view stars = "edges(\"x a, x b, x c, y d, y e, y f, z g, z h, z i, x y, y z, z x\")";
  EXPECT_EQ(value_of(spreading_on(stars, CollectiveKind::kAllgather, 1)),
            Rational::of(9 * 8 + 3 * 9 + 12 * 2, 3));
  // And in an allreduce twice, once before somebody has everything and once afterwards.
  EXPECT_EQ(value_of(spreading_on(stars, CollectiveKind::kAllreduce, 1, 2)),
            Rational::of(2 * (8 + 2 * 2), 3));
}

// One piece at a time through each link: whoever has fewer links to parts than ports sends no more than they carry.
TEST(MiddleNodes, CountLinksWherePortsAreMore) {
  EXPECT_EQ(value_of(spreading_on("edges(\"a x, x b, b y, y a, a z, z b\")", CollectiveKind::kAllgather, 3)),
            Rational::of(3 * 2 + 2 * 3, 6));
}

TEST(MiddleNodes, AreProvedByTheirWeights) {
  size_t said = 0;
  for (const std::string_view spec :
       {"mesh(3,4)", "star(3)", "jellyfish(8,3,2;1)", "megafly(2,2,2,2)", "fat_tree(2,3)", "gpu_box(4,2)",
        "random_regular(12,3;1)", "dragonfly(1,2,1)", "edges(\"a b, b c, b d, d e\")", "xgft(2,2;1,2;2,1)",
        "edges(\"a b 2, b c 3, c d, d a, b d, c e, e f 2\")"}) {
    for (const auto kind :
         {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast,
          CollectiveKind::kReduce, CollectiveKind::kAllreduce}) {
      for (const uint32_t count : {1U, 2U}) {
        const Problem problem = spreading_on(spec, kind, count, 5);
        const std::optional<Bound> bound = bounds::middle_nodes.evaluate(problem);
        if (!bound) continue;
        EXPECT_GE(proved_by(problem, *bound->evidence).ceil(), bound->value.ceil())
            << problem.title() << ", ports " << count << ": " << bound->witness;
        ++said;
      }
    }
  }
  EXPECT_GT(said, 100U);
}

TEST(MiddleNodes, SayNothingWhereAllPortsAreFreeOrLinksGoOneWay) {
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kAllgather, 0)), Rational(0));
  EXPECT_EQ(value_of(spreading_on(kPairs, CollectiveKind::kAlltoall, 1)), Rational(0));
  EXPECT_EQ(value_of(spreading_on("kautz(2,3)", CollectiveKind::kAllgather, 1)), Rational(0));
}

}  // namespace
}  // namespace middle_nodes_test
}  // namespace quadrille
