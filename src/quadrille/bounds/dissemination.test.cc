// Bounds of broadcasts and reductions by paths, and of scatters by levels, against exhaustive search.
#include "quadrille/bounds/dissemination.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_bfs_tree;
}  // namespace algorithms

namespace dissemination_test {

Problem broadcast(const Topology& topology, uint32_t ports, NodeId root = NodeId{0}, uint32_t pieces = 1) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(topology, CollectiveKind::kBroadcast, model, root, pieces);
}

std::optional<int64_t> steps(std::string_view bound, const Problem& problem) {
  const std::optional<Bound> found = bound_catalog().find(bound)->evaluate(problem);
  return found ? std::optional<int64_t>(found->value.ceil()) : std::nullopt;
}

// The fewest steps of a broadcast of one piece, by search over all sets of nodes that can have been informed.
class AllBroadcasts {
 public:
  explicit AllBroadcasts(const Problem& problem) : topology_(problem.topology()), problem_(problem) {}

  int64_t fewest_steps() {
    uint32_t goal = 0;
    for (const NodeId v : topology_.endpoints()) goal |= 1U << index(v);
    std::set<uint32_t> reached{1U << index(topology_.endpoint(*problem_.collective().root()))};
    for (int64_t steps = 0;; ++steps) {
      std::set<uint32_t> next;
      for (const uint32_t informed : reached) {
        if ((informed & goal) == goal) return steps;
        inform(informed, informed, 0, next);
      }
      reached = std::move(next);
    }
  }

 private:
  // All ways in which those who have been informed, from node v on, can inform others.
  void inform(uint32_t informed, uint32_t after, uint32_t v, std::set<uint32_t>& out) {
    while (v < topology_.num_nodes() && (informed >> v & 1U) == 0) ++v;
    if (v == topology_.num_nodes()) {
      out.insert(after);
      return;
    }
    const Ports ports = problem_.model().send;
    choose(informed, after, v, 0, ports.unlimited() ? topology_.num_nodes() : ports.count, out);
  }

  // The arcs of v from position a on, with so many ports left.
  void choose(uint32_t informed, uint32_t after, uint32_t v, uint32_t a, uint32_t left,
              std::set<uint32_t>& out) {
    const IdRange<ArcId> arcs = topology_.arcs_from(NodeId{v});
    bool informs = false;
    for (; left > 0 && a < arcs.size(); ++a) {
      const uint32_t bit = 1U << index(topology_.head(arcs[a]));
      if ((after & bit) != 0) continue;
      informs = true;
      choose(informed, after | bit, v, a + 1, left - 1, out);
    }
    if (!informs) inform(informed, after, v + 1, out);  // spread more is never worse
  }

  const Topology& topology_;
  const Problem& problem_;
};

Topology random_tree(Rng& rng, uint32_t nodes) {
  TopologyBuilder builder(fmt::format("random tree of {}", nodes), nodes);
  for (uint32_t v = 1; v < nodes; ++v) builder.link(NodeId{v}, NodeId{static_cast<uint32_t>(rng.below(v))});
  return builder.build();
}

constexpr std::string_view kTransmissionBounds[] = {"transmission_paths", "transmission_paths_closed_form",
                                                    "transmission_tree",  "transmission_tree_levels",
                                                    "distance",           "doubling"};

TEST(TransmissionBounds, AreNeverAboveTheBestOfAllBroadcasts) {
  Rng rng(3);
  int tight = 0;
  for (int round = 0; round < 150; ++round) {
    const Topology net =
        testing::random_topology(rng, 2 + static_cast<uint32_t>(rng.below(7)), rng.below(3) == 0);
    const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
    const auto ports = static_cast<uint32_t>(rng.below(3));
    const Problem problem = broadcast(net, net.num_nodes() > 2 ? ports : 0, root);
    if (problem.collective().num_ranks() < 2) continue;
    const int64_t best = AllBroadcasts(problem).fewest_steps();
    for (const std::string_view name : kTransmissionBounds) {
      EXPECT_LE(steps(name, problem).value_or(0), best) << name << ", " << problem.title();
    }
    tight += steps("transmission_paths", problem) == best ? 1 : 0;
  }
  EXPECT_GT(tight, 50);
}

TEST(TransmissionBounds, AreExactOnTreesAndMetByTheLargestSubtreeFirst) {
  Rng rng(4);
  for (int round = 0; round < 150; ++round) {
    const Topology tree = random_tree(rng, 2 + static_cast<uint32_t>(rng.below(8)));
    const NodeId root{static_cast<uint32_t>(rng.below(tree.num_nodes()))};
    for (const uint32_t ports : {0U, 1U, 2U}) {
      if (ports == 2 && tree.num_nodes() < 3) continue;
      const Problem problem = broadcast(tree, ports, root);
      const int64_t best = AllBroadcasts(problem).fewest_steps();
      EXPECT_EQ(steps("transmission_tree", problem), best) << ports;
      EXPECT_EQ(*algorithms::broadcast_bfs_tree.plan_for(problem)->prediction().steps,
                static_cast<uint64_t>(best))
          << ports;
      EXPECT_LE(*steps("transmission_tree_levels", problem), best);
    }
  }
}

TEST(TransmissionBounds, OneLargeTreeIsServedExactly) {
  Rng rng(9);
  for (const uint32_t nodes : {1000U, 5000U}) {
    const Topology tree = random_tree(rng, nodes);
    const Problem problem = broadcast(tree, 1);
    EXPECT_EQ(static_cast<uint64_t>(*steps("transmission_tree", problem)),
              *algorithms::broadcast_bfs_tree.plan_for(problem)->prediction().steps);
    EXPECT_GE(steps("transmission_tree", problem), steps("transmission_tree_levels", problem));
  }
  const Problem line = broadcast(parse_topology("line(100000)"), 1);
  EXPECT_EQ(steps("transmission_tree", line), 99'999);
  EXPECT_EQ(steps("transmission_paths", line), 99'999);
}

TEST(TransmissionBounds, TheClosedFormIsNeverAboveTheSum) {
  for (const char* spec :
       {"complete(2)", "complete(4)", "torus(7,7,7)", "torus(5,5)", "hypercube(6)", "line(30)", "ring(31)",
        "star(5)", "tree(2^4)", "mesh(6,6)", "extended_ring(40,3)", "tree(9)"}) {
    const Problem problem = broadcast(parse_topology(spec), 1);
    EXPECT_LE(*steps("transmission_paths_closed_form", problem), *steps("transmission_paths", problem))
        << spec;
    EXPECT_GE(*steps("transmission_paths", problem), *steps("distance", problem)) << spec;
    EXPECT_GE(*steps("transmission_paths", problem), *steps("doubling", problem)) << spec;
  }
}

TEST(TransmissionBounds, HaveTheValuesOfThePapers) {
  // Odd tori; what 7 x 7 x 7 takes is 11.
  EXPECT_EQ(steps("transmission_paths", broadcast(parse_topology("torus(7,7,7)"), 1)), 10);
  EXPECT_EQ(steps("transmission_paths", broadcast(parse_topology("torus(3,3,3)"), 1)), 5);
  // Three nodes at distance 1 are informed in two steps; at d = 0 the closed form would say two for two
  // nodes.
  EXPECT_EQ(steps("transmission_paths", broadcast(parse_topology("complete(4)"), 1)), 2);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("complete(2)"), 1)), 1);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("complete(2)"), 0)), 1);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("complete(3)"), 0)),
            std::nullopt);
  // The formula itself, worked out apart: far nodes of a line, both ways round a ring, doubling.
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("line(100)"), 1, NodeId{0})),
            85);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("line(17)"), 1, NodeId{0})), 14);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("ring(32)"), 1)), 14);
  EXPECT_EQ(steps("transmission_paths_closed_form", broadcast(parse_topology("complete(9)"), 1)), 4);
  EXPECT_EQ(steps("transmission_tree_levels", broadcast(parse_topology("tree(9)"), 1, NodeId{9})), 9);
  EXPECT_EQ(steps("transmission_tree", broadcast(parse_topology("hypercube(3)"), 1)), std::nullopt);
}

TEST(TransmissionBounds, CountReductionsBackwardsAndPiecesOneAfterTheOther) {
  const Topology torus = parse_topology("torus(5,5)");
  Model model;
  model.receive = kOnePort;
  EXPECT_EQ(steps("transmission_paths", standard_problem(torus, CollectiveKind::kReduce, model)),
            steps("transmission_paths", broadcast(torus, 1)));
  EXPECT_EQ(*steps("transmission_paths", broadcast(torus, 1, NodeId{0}, 7)),
            *steps("transmission_paths", broadcast(torus, 1)) + 6);
  EXPECT_EQ(steps("transmission_paths", standard_problem(torus, CollectiveKind::kAllgather)), std::nullopt);
}

TEST(TransmissionBounds, SayWhy) {
  const auto witness = [](std::string_view name, const Problem& problem) {
    return bound_catalog().find(name)->evaluate(problem)->witness;
  };
  const Topology torus = parse_topology("torus(3,3,3)");
  EXPECT_EQ(
      witness("transmission_paths", broadcast(torus, 1)),
      "26 endpoints are at distance 1 or more from (0,0,0), and 4 steps can inform 15 over paths of that "
      "length");
  EXPECT_EQ(
      witness("transmission_tree_levels", broadcast(parse_topology("tree(9)"), 1, NodeId{9}, 3)),
      "9 nodes are at distance 1 from 0@1, and 8 steps can inform 8 there, after the 2 steps before the "
      "last piece can leave the root");
  EXPECT_EQ(
      witness("transmission_tree", broadcast(parse_topology("line(12)"), 1)),
      "the network is a tree, and each node serves the slowest subtree first; the last path is 0, 1, 2, "
      "3, .., 11");
  EXPECT_EQ(witness("scatter_levels",
                    standard_problem(parse_topology("line(5)"), CollectiveKind::kGather, {}, NodeId{1})),
            "2 blocks must come from distance 2 or more from 1, over links and ports that carry 1 a step");
}

TEST(InformedNodes, AreBinomialCoefficientsThatStopAtALimit) {
  EXPECT_EQ(informed_over_paths_of(1, 3, 7, 1000), 35U);
  EXPECT_EQ(informed_over_paths_of(1, 3, 7, 20), 20U);
  EXPECT_EQ(informed_over_paths_of(2, 3, 7, 1000), 280U);
  EXPECT_EQ(informed_over_paths_of(1, 8, 7, 1000), 0U);
  EXPECT_EQ(informed_over_paths_of(3, 50'000, 100'000, UINT32_MAX), UINT32_MAX);
  EXPECT_EQ(informed_over_paths_from(1, 0, 10, 5000), 1024U);
  EXPECT_EQ(informed_over_paths_from(1, 3, 5, 5000), 10U + 5U + 1U);
  EXPECT_EQ(informed_over_paths_from(2, 1, 3, 5000), 26U);
}

}  // namespace dissemination_test
}  // namespace quadrille
