#include "quadrille/topology/queries/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "quadrille/base/random.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace bisection_test {

// Every subset, slow and obvious.
uint64_t cheapest_of_all(const Topology& net) {
  const uint32_t n = net.num_nodes();
  uint64_t best = std::numeric_limits<uint64_t>::max();
  for (uint32_t set = 0; set < (1U << n); ++set) {
    uint32_t ones = 0;
    for (const NodeId v : net.endpoints()) ones += set >> index(v) & 1U;
    if (ones != net.num_endpoints() / 2) continue;
    uint64_t out = 0;
    uint64_t in = 0;
    for (const ArcId arc : net.arcs()) {
      const bool from = (set >> index(net.tail(arc)) & 1U) != 0;
      const bool to = (set >> index(net.head(arc)) & 1U) != 0;
      if (from && !to) out += net.capacity(arc);
      if (!from && to) in += net.capacity(arc);
    }
    best = std::min({best, out, in});
  }
  return best;
}

TEST(Bisection, BranchAndBoundMissesNothing) {
  Rng rng(7);
  for (int trial = 0; trial < 40; ++trial) {
    const auto n = static_cast<uint32_t>(2 + rng.below(8));
    TopologyBuilder builder("random", n);
    const bool directed = trial % 2 == 0;
    for (uint32_t v = 0; v < n; ++v) builder.arc(NodeId{v}, NodeId{(v + 1) % n}, 1 + v % 3);
    for (uint32_t k = 0; k < 2 * n; ++k) {
      const auto a = static_cast<uint32_t>(rng.below(n));
      const auto b = static_cast<uint32_t>(rng.below(n));
      if (a == b) continue;
      builder.arc(NodeId{a}, NodeId{b});
      if (!directed) builder.arc(NodeId{b}, NodeId{a});
    }
    if (n > 4) {
      std::vector<NodeId> endpoints;
      for (uint32_t v = 0; v < n - static_cast<uint32_t>(trial % 3); ++v) endpoints.push_back(NodeId{v});
      builder.endpoints(std::move(endpoints));
    }
    const Topology net = builder.build();
    const auto found = exact_bisection(net);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->capacity, cheapest_of_all(net)) << "trial " << trial;
    const CutCapacity across = capacity_across(net, found->cut);
    EXPECT_EQ(std::min(across.out, across.in), found->capacity);
  }
}

TEST(Bisection, OfEverySampleIsAsOnTheCard) {
  for (const Family* family : family_catalog()) {
    for (const std::string_view spec : family->samples) {
      const Topology net = parse_topology(spec);
      const TopologyFacts facts = topology_facts(parse_spec(spec, "test"));
      const auto found = best_known_bisection(net);
      if (!found || !facts.bisection) continue;
      const auto card = static_cast<uint64_t>(facts.bisection->capacity);
      if (found->proved && facts.bisection->proved) {
        EXPECT_EQ(found->capacity, card) << spec << ": " << facts.bisection->reason;
      } else if (found->proved) {
        EXPECT_LE(found->capacity, card) << spec << ": " << facts.bisection->reason;
      } else if (facts.bisection->proved) {
        EXPECT_GE(found->capacity, card) << spec << ": " << facts.bisection->reason;
      }
    }
  }
}

TEST(Bisection, OfSmallGraphsIsExact) {
  for (const std::string_view spec :
       {"torus(5,4)", "mesh(3,3,2)", "hypercube(4)", "generalized_hypercube(3,3)", "cube_connected_cycles(3)",
        "star(4)", "fat_tree(2^3)"}) {
    const auto found = best_known_bisection(parse_topology(spec));
    ASSERT_TRUE(found.has_value()) << spec;
    EXPECT_TRUE(found->proved) << spec;
  }
}

TEST(Bisection, OfOneEndpointDoesNotExist) {
  EXPECT_FALSE(best_known_bisection(parse_topology("line(1)")).has_value());
  EXPECT_FALSE(exact_bisection(parse_topology("torus(5,5)")).has_value());
}

}  // namespace bisection_test
}  // namespace quadrille
