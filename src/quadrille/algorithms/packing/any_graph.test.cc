// What is promised of any graph: a plan near a proved bound, on networks of many kinds that no family of ours has a formula
// for. Here is a part that takes a moment; AnyGraphSlow goes to a thousand nodes.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/compile/compile.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace any_graph_test {
namespace {

// Every new node is linked to `links` others, which are drawn by how many links they have (Barabasi and Albert 1999).
Topology preferential(uint32_t nodes, uint32_t links, uint64_t seed) {
  Rng rng(seed);
  TopologyBuilder builder("preferential", nodes);
  std::vector<uint32_t> ends;
  const auto link = [&](uint32_t a, uint32_t b) {
    builder.link(NodeId{a}, NodeId{b});
    ends.insert(ends.end(), {a, b});
  };
  for (uint32_t a = 0; a <= links; ++a)
    for (uint32_t b = 0; b < a; ++b) link(a, b);
  for (uint32_t a = links + 1; a < nodes; ++a) {
    std::set<uint32_t> others;
    while (others.size() < links) others.insert(ends[rng.below(ends.size())]);
    for (const uint32_t b : others) link(a, b);
  }
  return builder.build();
}

// The graph again, its links of capacity 1, 1, 2 or 4.
Topology with_capacities(const Topology& net, uint64_t seed) {
  Rng rng(seed);
  TopologyBuilder builder("capacities", net.num_nodes());
  constexpr uint32_t kOf[] = {1, 1, 2, 4};
  for (const ArcId arc : net.arcs())
    if (net.tail(arc) < net.head(arc)) builder.link(net.tail(arc), net.head(arc), kOf[rng.below(4)]);
  return builder.build();
}

// Two cliques, and a few links between them.
Topology barbell(uint32_t clique, uint32_t links) {
  TopologyBuilder builder("barbell", 2 * clique);
  for (const uint32_t first : {0U, clique})
    for (uint32_t a = 0; a < clique; ++a)
      for (uint32_t b = 0; b < a; ++b) builder.link(NodeId{first + a}, NodeId{first + b});
  for (uint32_t a = 0; a < links; ++a) builder.link(NodeId{a}, NodeId{clique + a});
  return builder.build();
}

// Cliques at the nodes of a binary tree, linked by one link each.
Topology tree_of_cliques(uint32_t clique, uint32_t cliques) {
  TopologyBuilder builder("tree_of_cliques", clique * cliques);
  for (uint32_t c = 0; c < cliques; ++c) {
    for (uint32_t a = 0; a < clique; ++a)
      for (uint32_t b = 0; b < a; ++b) builder.link(NodeId{c * clique + a}, NodeId{c * clique + b});
    if (c > 0) builder.link(NodeId{c * clique}, NodeId{(c - 1) / 2 * clique + 1 + c % 2});
  }
  return builder.build();
}

// With so many links less, which are drawn, and no longer known for what it was.
Topology without_links(std::string_view spec, uint32_t links, uint64_t seed) {
  const Topology net = parse_topology(spec);
  Rng rng(seed);
  std::vector<std::pair<NodeId, NodeId>> all;
  for (const ArcId arc : net.arcs())
    if (net.tail(arc) < net.head(arc)) all.emplace_back(net.tail(arc), net.head(arc));
  rng.shuffle(all);
  TopologyBuilder builder("faulty", net.num_nodes());
  for (size_t i = links; i < all.size(); ++i) builder.link(all[i].first, all[i].second);
  return builder.build();
}

constexpr Model kOnePortModel{.send = kOnePort, .receive = kOnePort};

struct Promise {
  Topology net;
  CollectiveKind kind;
  double gap;  // per cent above the bound
  Model model{};
  uint32_t pieces = 1;
};

void expect_kept(const std::vector<Promise>& promises) {
  for (const Promise& promise : promises) {
    const Problem problem =
        standard_problem(promise.net, promise.kind, promise.model, kNoNode, promise.pieces);
    SCOPED_TRACE(problem.title() + " " + describe(problem.model()));
    const Compiled made = compile(problem);
    ASSERT_TRUE(made.verdict.passed());
    const auto least = static_cast<double>(made.least_steps().value.ceil());
    EXPECT_GT(least, 0);
    EXPECT_LE(static_cast<double>(made.verdict.figures.steps), least * (1 + promise.gap / 100) + 1e-9)
        << "bound " << least;
  }
}

using enum CollectiveKind;

TEST(AnyGraph, IsPlannedNearItsBound) {
  expect_kept({
      {parse_topology("slim_fly(5)"), kAlltoall, 0},
      {parse_topology("generalized_kautz(40,3)"), kAlltoall, 5},  // directed
      {without_links("torus(6,6)", 2, 1), kAlltoall, 0},
      {barbell(12, 3), kAlltoall, 0},
      {tree_of_cliques(5, 5), kAlltoall, 0},
      {with_capacities(parse_topology("random_regular(32,5;2)"), 3), kAlltoall, 5},
      {tree_of_cliques(5, 5), kAlltoall, 5, kOnePortModel},
      {preferential(100, 3, 4), kAllgather, 0},
      {with_capacities(parse_topology("random_regular(64,4;2)"), 3), kReduceScatter, 0},
      {parse_topology("jellyfish(16,4,4;1)"), kAllgather, 0},
      {preferential(48, 2, 4), kBroadcast, 5, {}, 32},
      {parse_topology("jellyfish(8,4,2;3)"), kAlltoall, 0},
      {parse_topology("clos(8)"), kAllgather, 1, kOnePortModel},
  });
}

// The kinds and sizes of the tables that the issue of any network began with, on graphs of our own families.
TEST(AnyGraphSlow, OfAThousandNodesIsPlannedNearItsBound) {
  expect_kept({
      {parse_topology("random_regular(64,4;1)"), kAlltoall, 4},
      {parse_topology("random_regular(256,4;1)"), kAlltoall, 1.5},
      {parse_topology("random_regular(1024,6;1)"), kAlltoall, 0.6},
      {without_links("torus(16,16)", 1, 1), kAlltoall, 0.2},
      {without_links("torus(8,8,8)", 15, 1), kAlltoall, 0.6},
      {parse_topology("clos(16)"), kAlltoall, 0.5},
      {parse_topology("slim_fly(13)"), kAlltoall, 3},
      {parse_topology("generalized_kautz(256,4)"), kAlltoall, 2.5},
      {with_capacities(parse_topology("random_regular(256,4;1)"), 1), kAlltoall, 2.5},
      {parse_topology("jellyfish(256,8,4;1)"), kAlltoall, 2},
      {parse_topology("jellyfish(64,8,4;5)"), kAlltoall, 6},
      {parse_topology("dragonfly(3,6,3)"), kAlltoall, 6},
      {parse_topology("dragonfly(2,4,2)"), kAlltoall, 3},
      {parse_topology("megafly(3,3,3,3)"), kAlltoall, 5},
      {parse_topology("jellyfish(24,6,3;2)"), kAlltoall, 5},
      {parse_topology("megafly(4,4,4,4)"), kAlltoall, 6},
      {preferential(300, 3, 7), kAlltoall, 5},
      {parse_topology("torus(24,24)"), kAllgather, 0},
      {parse_topology("random_regular(1024,6;1)"), kAllgather, 0},
      {without_links("torus(8,8,16)", 31, 1), kAllgather, 0},
      {parse_topology("random_regular(256,5;3)"), kAlltoall, 2, kOnePortModel},
      {parse_topology("generalized_kautz(256,4)"), kAlltoall, 2, {.send = Ports{3}, .receive = Ports{3}}},
      {parse_topology("random_regular(640,6;3)"), kAlltoall, 1, {.send = Ports{3}, .receive = Ports{3}}},
      {preferential(300, 3, 7), kReduceScatter, 0},
  });
  const Problem sums = standard_problem(parse_topology("mesh(16,16)"), kAllreduce, {}, kNoNode, 1024);
  EXPECT_LE(compile(sums).verdict.figures.steps, 610U);
}

}  // namespace
}  // namespace any_graph_test
}  // namespace quadrille
