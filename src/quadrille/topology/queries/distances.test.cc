#include "quadrille/topology/queries/distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace distances_test {

// Floyd and Warshall, slow and obvious.
std::vector<std::vector<uint32_t>> all_distances(const Topology& topology) {
  const uint32_t n = topology.num_nodes();
  std::vector<std::vector<uint32_t>> out(n, std::vector<uint32_t>(n, n));
  for (uint32_t v = 0; v < n; ++v) out[v][v] = 0;
  for (const ArcId arc : topology.arcs()) out[index(topology.tail(arc))][index(topology.head(arc))] = 1;
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; j < n; ++j) out[i][j] = std::min(out[i][j], out[i][k] + out[k][j]);
    }
  }
  return out;
}

TEST(Distances, TheMiddleIsNearToAll) {
  EXPECT_EQ(middle_rank(parse_topology("line(7)")), Rank{3});
  EXPECT_EQ(middle_rank(parse_topology("mesh(3,3)")), Rank{4});
  EXPECT_EQ(middle_rank(parse_topology("torus(4,4)")), Rank{0});
  EXPECT_EQ(middle_rank(parse_topology("edges(\"a b, b c, c d, c e, e f\")")), Rank{2});
}

TEST(Distances, AgreeWithFloydAndWarshallOnEverySample) {
  for (const Family* family : family_catalog()) {
    for (const std::string_view spec : family->samples) {
      const Topology net = parse_topology(spec);
      const auto expected = all_distances(net);
      for (const NodeId v : net.nodes()) {
        EXPECT_EQ(distances_from(net, v), expected[index(v)]) << spec;
      }
      uint64_t total = 0;
      uint32_t diameter = 0;
      for (const NodeId v : net.endpoints()) {
        uint64_t sum = 0;
        for (const NodeId w : net.endpoints()) {
          sum += expected[index(v)][index(w)];
          diameter = std::max(diameter, expected[index(v)][index(w)]);
        }
        EXPECT_EQ(status(net, v), sum) << spec;
        EXPECT_LE(eccentricity(net, v), diameter) << spec;
        total += sum;
      }
      const DistanceSummary summary = distance_summary(net);
      EXPECT_EQ(summary.diameter, diameter) << spec;
      EXPECT_EQ(summary.average_status, Rational::of(Int128{total}, net.num_endpoints())) << spec;
      const DistanceSummary searched = searched_distance_summary(net);
      EXPECT_EQ(summary.diameter, searched.diameter) << spec;
      EXPECT_EQ(summary.min_status, searched.min_status) << spec;
      EXPECT_EQ(summary.max_status, searched.max_status) << spec;
      EXPECT_EQ(summary.average_status, searched.average_status) << spec;
      EXPECT_EQ(summary.average_distance, searched.average_distance) << spec;
    }
  }
}

// More than a word of endpoints, routers between them, and links of one way.
TEST(Distances, OfAllEndpointsAtOnceAreThoseOfEach) {
  for (const char* spec : {"line(130)", "generalized_kautz(150,3)", "jellyfish(20,4,4;1)", "fat_tree(3,4)"}) {
    const Topology net = parse_topology(spec);
    const std::shared_ptr<const EndpointDistances> all = endpoint_distances(net);
    ASSERT_EQ(all->status.size(), net.num_endpoints()) << spec;
    for (const NodeId v : net.endpoints()) {
      EXPECT_EQ(all->eccentricity[index(*net.rank(v))], eccentricity(net, v)) << spec << " " << net.label(v);
      EXPECT_EQ(all->status[index(*net.rank(v))], status(net, v)) << spec << " " << net.label(v);
    }
  }
}

// A million nodes whose distances nobody could search: n times the sum of the factors' s_i / n_i.
TEST(Distances, AreThoseOfTheEndpointsThatAreWanted) {
  const Topology net = parse_topology("fat_tree(3,2)");
  std::vector<NodeId> asked;
  for_each_distance_row(
      net, [](NodeId v) { return index(v) % 2 == 0; },
      [&](NodeId from, std::span<const uint32_t> hops) {
        asked.push_back(from);
        EXPECT_TRUE(std::ranges::equal(hops, distances_from(net, from)));
      });
  std::vector<NodeId> even;
  for (const NodeId v : net.endpoints())
    if (index(v) % 2 == 0) even.push_back(v);
  EXPECT_EQ(asked, even);
  EXPECT_FALSE(asked.empty());
}

TEST(Distances, AddUpInALargeProduct) {
  const DistanceSummary mesh = distance_summary(parse_topology("mesh(1000,1000)"));
  EXPECT_EQ(mesh.diameter, 1998U);
  EXPECT_EQ(mesh.min_status, 2 * 1000 * 250'000U);
  EXPECT_EQ(mesh.max_status, 2 * 1000 * 499'500U);
  EXPECT_EQ(mesh.average_status, Rational(2 * 333'333 * 1000));
}

// Over every link of a tree goes what is on one side of it and on the other.
TEST(Distances, AddUpInALargeTree) {
  const DistanceSummary line = distance_summary(parse_topology("line(100000)"));
  EXPECT_EQ(line.diameter, 99'999U);
  EXPECT_EQ(line.min_status, 2'500'000'000U);
  EXPECT_EQ(line.max_status, 4'999'950'000U);
  EXPECT_EQ(line.average_status, Rational(3'333'333'333));
  const DistanceSummary leaves = distance_summary(parse_topology("fat_tree(2^16)"));
  EXPECT_EQ(leaves.diameter, 32U);
  EXPECT_EQ(leaves.min_status, leaves.max_status);
  EXPECT_EQ(leaves.average_distance, Rational::of(15 * 65536 + 1, 65535) * Rational(2));
}

TEST(Distances, OfADirectedGraphDifferThereAndBack) {
  TopologyBuilder builder("one way", 4);
  for (uint32_t v = 0; v < 4; ++v) builder.arc(NodeId{v}, NodeId{(v + 1) % 4});
  const Topology net = builder.build();
  EXPECT_EQ(distances_from(net, NodeId{1}), (std::vector<uint32_t>{3, 0, 1, 2}));
  EXPECT_EQ(distances_to(net, NodeId{1}), (std::vector<uint32_t>{1, 0, 3, 2}));
}

}  // namespace distances_test
}  // namespace quadrille
