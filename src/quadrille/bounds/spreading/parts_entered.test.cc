// Parts entered: a ring of cliques, trees, and never more than what a plan takes.
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/ring_of_cliques.test.h"
#include "quadrille/topology/structure/nested_parts.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_bfs_tree;
extern const Algorithm broadcast_path_merging;
}  // namespace algorithms

namespace parts_entered_test {

Problem worms(const Topology& topology, CollectiveKind kind, Ports ports = kAllPorts) {
  return standard_problem(topology, kind,
                          {.send = ports, .receive = ports, .switching = Switching::kWormhole});
}

Rational bound_of(const Problem& problem) {
  const auto bounds = bounds_of(*bound_catalog().find("parts_entered"), problem);
  return bounds.empty() ? Rational(0) : bounds.front().value;
}

TEST(PartsEntered, CliquesInARingTakeAStepMoreThanToEnterThemAll) {
  const Topology cliques = ring_of_cliques(15, 10);
  EXPECT_EQ(bound_of(worms(cliques, CollectiveKind::kBroadcast)), Rational(4));
  EXPECT_EQ(bound_of(worms(cliques, CollectiveKind::kReduce)), Rational(4));
  EXPECT_EQ(judged_steps(algorithms::broadcast_path_merging, worms(cliques, CollectiveKind::kBroadcast)), 4U);
  // A binary tree from its root: 16 boughs of 7 nodes.
  TopologyBuilder tree("tree", 127);
  for (uint32_t v = 1; v < 127; ++v) tree.link(NodeId{(v - 1) / 2}, NodeId{v});
  EXPECT_EQ(bound_of(worms(tree.build(), CollectiveKind::kBroadcast)), Rational(5));
}

TEST(PartsEntered, IsSilentWhereNoPartTakesAStepMore) {
  for (const std::string_view spec : {"complete(8)", "ring(3)", "hypercube(2)"}) {
    EXPECT_FALSE(bound_catalog()
                     .find("parts_entered")
                     ->evaluate(worms(parse_topology(spec), CollectiveKind::kBroadcast))
                     .has_value())
        << spec;
  }
}

TEST(PartsEntered, IsNeverMoreThanAPlanTakes) {
  for (const std::string_view spec :
       {"line(3)", "line(40)", "ring(9)", "mesh(7,9)", "tree(3,4)", "star(5)", "complete(9)", "torus(5,5)",
        "de_bruijn(2,5)", "dragonfly(2,4,2)", "clos(4)", "fat_tree(2,4)", "random_regular(60,3;1)",
        "generalized_kautz(15,2)"}) {
    for (const uint32_t ports : {0U, 1U, 2U}) {
      const Problem problem = worms(parse_topology(spec), CollectiveKind::kBroadcast, Ports{ports});
      const auto steps = static_cast<int64_t>(judged_steps(algorithms::broadcast_path_merging, problem));
      EXPECT_LE(bound_of(problem), Rational(steps)) << problem.title();
    }
    const Problem packets = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, {});
    EXPECT_LE(bound_of(packets),
              Rational(static_cast<int64_t>(judged_steps(algorithms::broadcast_bfs_tree, packets))))
        << packets.title();
  }
}

TEST(NestedParts, JoinsCliquesBeforeTheirRing) {
  bool has_cliques = false;
  std::vector<uint32_t> before;
  for_each_partition(ring_of_cliques(6, 5), [&](const std::vector<uint32_t>& part_of) {
    bool are_cliques = true;
    for (size_t v = 0; v < part_of.size(); ++v) are_cliques = are_cliques && part_of[v] == v / 5;
    has_cliques = has_cliques || are_cliques;
    // Whoever was together stays so.
    for (size_t v = 0; v < before.size(); ++v)
      for (size_t w = 0; w < v; ++w) EXPECT_TRUE(before[v] != before[w] || part_of[v] == part_of[w]);
    before = part_of;
  });
  EXPECT_TRUE(has_cliques);
}

}  // namespace parts_entered_test
}  // namespace quadrille
