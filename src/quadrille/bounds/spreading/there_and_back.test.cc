// What is late in an allreduce, and what is heard across few links.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace bounds {
extern const BoundCard heard_across;
extern const BoundCard there_and_back;
}  // namespace bounds
namespace algorithms {
extern const Algorithm allgather_gossip;
extern const Algorithm allreduce_search;
extern const Algorithm allreduce_sums;
extern const Algorithm broadcast_path_merging;
}  // namespace algorithms

namespace there_and_back_test {

Problem summing_on(std::string_view spec, Model model) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model);
}

int64_t value(const BoundCard& card, const Problem& problem) {
  const std::optional<Bound> bound = card.evaluate(problem);
  return bound ? bound->value.ceil() : 0;
}

TEST(ThereAndBack, IsExactOnStars) {
  for (const uint64_t n : {3U, 4U, 7U, 40U}) {
    const std::string star = "tree(" + std::to_string(n) + ")";
    for (const uint32_t count : {1U, 2U, 3U}) {
      const Problem problem = summing_on(star, ports(count));
      EXPECT_EQ(value(bounds::there_and_back, problem), judged_steps(algorithms::allreduce_sums, problem))
          << star << ", ports " << count;
    }
    EXPECT_EQ(value(bounds::there_and_back, summing_on(star, ports(1))), 2 * n - 1);
  }
}

// Where all endpoints are on one side of a node, nobody needs what it may have heard.
TEST(ThereAndBack, HoldsWhereNodesOnlyPassOn) {
  for (const std::string_view spec :
       {"among(line(7);\"0,1,3,4\")", "among(line(12);\"0,2,4\")", "among(line(9);\"0-3,5\")",
        "among(line(9);\"3-6\")", "among(tree(2,2,2);\"0,1,3\")", "among(tree(3,3);\"1,4-6\")",
        "among(mesh(2,6);\"0,1,6\")"}) {
    for (const uint32_t count : {0U, 1U}) {
      const Problem problem = summing_on(spec, ports(count));
      EXPECT_LE(value(bounds::there_and_back, problem), judged_steps(algorithms::allreduce_sums, problem))
          << spec << ", ports " << count;
    }
  }
}

TEST(ThereAndBack, KnowsTreesAndHosts) {
  EXPECT_EQ(value(bounds::there_and_back, summing_on("tree(2,2,2,2,2,2)", ports(1))), 23);
  EXPECT_EQ(value(bounds::there_and_back, summing_on("line(9)", ports(1))), 9);
  EXPECT_EQ(value(bounds::there_and_back, summing_on("fat_tree(4,4)", ports(1))), 15);
  EXPECT_EQ(value(bounds::there_and_back, summing_on("kautz(2,3)", ports(1))), 0);
  EXPECT_FALSE(bounds::there_and_back.evaluate(
      standard_problem(parse_topology("tree(5)"), CollectiveKind::kReduce, ports(1))));
  Model worms = ports(1);
  worms.switching = Switching::kWormhole;
  EXPECT_FALSE(bounds::there_and_back.evaluate(summing_on("tree(5)", worms)));
}

// Trees in which every node hangs on one that was there before.
Topology random_tree(uint32_t nodes, Rng& rng) {
  TopologyBuilder builder("a random tree", nodes);
  for (uint32_t v = 1; v < nodes; ++v) builder.link(NodeId{static_cast<uint32_t>(rng.below(v))}, NodeId{v});
  return builder.build();
}

// No bound is more than any plan takes, on whatever graph: these say most where nodes hang on others.
TEST(ThereAndBack, AreNeverMoreThanPlansTake) {
  Rng rng(7);
  for (uint32_t nodes = 3; nodes <= 14; ++nodes) {
    for (const uint32_t send : {0U, 1U, 2U}) {
      for (const uint32_t receive : {0U, 1U, 2U}) {
        const Problem problem =
            standard_problem(random_tree(nodes, rng), CollectiveKind::kAllreduce, ports(send, receive));
        const auto steps = static_cast<int64_t>(judged_steps(algorithms::allreduce_search, problem));
        EXPECT_LE(value(bounds::there_and_back, problem), steps) << nodes << ", " << send << ", " << receive;
        EXPECT_LE(value(bounds::heard_across, problem), steps) << nodes << ", " << send << ", " << receive;
      }
    }
  }
}

TEST(HeardAcross, CountsWhoHearsOverFewLinks) {
  const auto worms = [](std::string_view spec, uint32_t count) {
    Model model = ports(count);
    model.switching = Switching::kWormhole;
    return standard_problem(parse_topology(spec), CollectiveKind::kAllgather, model);
  };
  EXPECT_EQ(value(bounds::heard_across, worms("line(128)", 1)), 11);
  EXPECT_EQ(value(bounds::heard_across, worms("line(2)", 1)), 1);
  // Enough links for everybody: doubling says as much.
  EXPECT_EQ(value(bounds::heard_across, worms("complete(16)", 1)), 4);
  for (const std::string_view spec : {"line(7)", "line(12)", "tree(2,2,2)", "ring(9)", "mesh(3,5)",
                                      "jellyfish(8,3,2;1)", "edges(\"a b, b c, a c, c d, d e, e f, d f\")"}) {
    for (const uint32_t count : {0U, 1U, 2U}) {
      const Problem problem = worms(spec, count);
      EXPECT_LE(value(bounds::heard_across, problem),
                static_cast<int64_t>(judged_steps(algorithms::allgather_gossip, problem)))
          << spec << ", ports " << count;
    }
  }
}

// A part that few links lead to goes on by itself; gathering is the same backwards.
TEST(HeardAcross, KnowsPartsThatAreEnteredOverFewLinks) {
  const auto worms = [](std::string_view spec, CollectiveKind kind, uint32_t count) {
    Model model = ports(count);
    model.switching = Switching::kWormhole;
    return standard_problem(parse_topology(spec), kind, model, NodeId{0});
  };
  using enum CollectiveKind;
  // 1, 4, 13, 40, 121, .. of the others.
  EXPECT_EQ(value(bounds::heard_across, worms("line(122)", kBroadcast, 0)), 5);
  EXPECT_EQ(value(bounds::heard_across, worms("line(123)", kBroadcast, 0)), 6);
  EXPECT_EQ(value(bounds::heard_across, worms("line(123)", kGather, 0)), 6);
  for (const std::string_view spec :
       {"line(2)", "line(9)", "tree(2,2,2)", "tree(3,2)", "ring(8)", "mesh(2,7)", "jellyfish(8,3,2;1)",
        "edges(\"a b, b c, a c, c d, d e, e f, f g, g h\")"}) {
    for (const CollectiveKind kind : {kBroadcast, kScatter, kReduce, kGather}) {
      const Problem problem = worms(spec, kind, 0);
      const Problem broadcast = worms(spec, kBroadcast, 0);
      EXPECT_LE(value(bounds::heard_across, problem),
                static_cast<int64_t>(judged_steps(algorithms::broadcast_path_merging, broadcast)))
          << spec;
    }
  }
}

}  // namespace there_and_back_test
}  // namespace quadrille
