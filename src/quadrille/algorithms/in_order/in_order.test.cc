#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/in_order/in_order_rounds.h"
#include "quadrille/algorithms/in_order/in_order_tree.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille::in_order_test {
namespace {

Problem reduce_to(const Topology& topology, uint32_t root, uint32_t ports, uint32_t pieces) {
  const Model model{.send = {ports}, .receive = {ports}, .combining = Operator::kOrdered};
  return standard_problem(topology, CollectiveKind::kReduce, model, topology.endpoint(Rank{root}), pieces);
}

void passes(const Problem& problem, const Plan& plan) {
  const Verification found = verify(problem, plan);
  ASSERT_TRUE(found.verdict.passed()) << problem.title() << ": " << to_text(found.verdict.findings.front());
  EXPECT_TRUE(reference_verify(problem, plan).passed());
}

constexpr std::array kNetworks = {"line(1)",   "line(2)",       "line(5)",    "ring(3)",     "ring(8)",
                                  "mesh(3,4)", "torus(3,4)",    "torus(4,4)", "complete(7)", "hypercube(3)",
                                  "tree(2,2)", "fat_tree(2^2)", "star(5)",    "torus(2,2,3)"};

TEST(InOrder, TreesServeEveryNetworkRootAndPort) {
  for (const char* spec : kNetworks) {
    const Topology topology = parse_topology(spec);
    for (const uint32_t root : {0U, topology.num_endpoints() / 2}) {
      for (const uint32_t ports : {0U, 1U}) {
        for (const uint32_t pieces : {1U, 3U}) {
          const Problem problem = reduce_to(topology, root, ports, pieces);
          const std::optional<Plan> plan = in_order_tree_reduce(problem);
          ASSERT_TRUE(plan.has_value()) << problem.title();
          passes(problem, *plan);
        }
      }
    }
  }
}

TEST(InOrder, TreesTakeAsManyStepsAsTheFarthestNodeIsAwayOnGrids) {
  for (const char* spec :
       {"line(6)", "ring(7)", "ring(8)", "mesh(3,5)", "torus(4,4)", "torus(3,5)", "torus(3,3,3)"}) {
    const Topology topology = parse_topology(spec);
    const uint32_t roots = topology.num_nodes();
    for (const uint32_t root : {0U, roots / 2, roots - 1}) {
      const std::vector<uint32_t> hops = distances_to(topology, NodeId{root});
      const std::optional<Plan> plan = in_order_tree_reduce(reduce_to(topology, root, 0, 1));
      ASSERT_TRUE(plan.has_value());
      if (root == 0) {
        EXPECT_EQ(plan->num_steps(), *std::max_element(hops.begin(), hops.end())) << spec;
      }
    }
  }
}

TEST(InOrder, RoutedRoundsServeWhateverTheNumbering) {
  for (const char* spec : kNetworks) {
    const Topology topology = parse_topology(spec);
    for (const uint32_t root : {0U, topology.num_endpoints() - 1}) {
      for (const uint32_t ports : {0U, 1U}) {
        const Problem problem = reduce_to(topology, root, ports, 2);
        Plan plan;
        route_in_order_rounds(problem, plan);
        passes(problem, plan);
      }
    }
  }
}

TEST(InOrder, RoundsAreAsFewAsCanBeWhereverTheRootIs) {
  for (uint32_t ranks = 1; ranks < 30; ++ranks) {
    for (uint32_t root = 0; root < ranks; ++root) {
      EXPECT_EQ(in_order_rounds(ranks, root, 2, 1).size(), std::bit_width(ranks - 1)) << ranks << " " << root;
      size_t three = 0;
      for (uint32_t size = 1; size < ranks; size *= 3) ++three;
      EXPECT_EQ(in_order_rounds(ranks, root, 3, 1).size(), three) << ranks << " " << root;
    }
  }
}

// A card that may keep order has a plan for it somewhere; others have none.
TEST(InOrder, CardsThatMayKeepOrderDoSomewhere) {
  for (const Algorithm* card : algorithm_catalog()) {
    const bool combines = card->collective == CollectiveKind::kReduce ||
                          card->collective == CollectiveKind::kAllreduce ||
                          card->collective == CollectiveKind::kReduceScatter;
    if (!combines) {
      EXPECT_FALSE(card->may_keep_order) << card->name;
      continue;
    }
    bool found = false;
    for (const char* spec : {"line(6)", "complete(4)", "complete(8)", "mesh(2,3)", "ring(3)"}) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        const Model model{.switching = switching, .combining = Operator::kOrdered};
        const uint32_t pieces = card->collective == CollectiveKind::kReduceScatter ? 1 : 8;
        const Problem problem =
            standard_problem(parse_topology(spec), card->collective, model, kNoNode, pieces);
        const Preparation ready = prepare(*card, problem);
        if (!ready.fits.applies) continue;
        for (const PreparedPlan& prepared : ready.plans) {
          Plan plan;
          prepared->generate(plan);
          passes(problem, plan);
          found = true;
        }
      }
    }
    EXPECT_EQ(found, card->may_keep_order) << card->name;
  }
}

}  // namespace
}  // namespace quadrille::in_order_test
