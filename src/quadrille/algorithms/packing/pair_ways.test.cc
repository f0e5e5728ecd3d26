#include "quadrille/algorithms/packing/pair_ways.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace pair_ways_test {

std::vector<RankPair> all_pairs(const Topology& net) {
  std::vector<RankPair> out;
  for (uint32_t from = 0; from < net.num_endpoints(); ++from)
    for (uint32_t to = 0; to < net.num_endpoints(); ++to)
      out.push_back({Rank{from}, Rank{to}, from == to ? 0U : 1U});
  return out;
}

// Follows every way from its rank to the other one, and counts.
void expect_led_home(const Topology& net, const PairWays& ways, const std::vector<RankPair>& pairs) {
  std::vector<uint64_t> load(net.num_arcs(), 0);
  std::vector<ArcId> way;
  for (size_t i = 0; i < pairs.size(); ++i) {
    way.clear();
    ways.append(i, way);
    NodeId at = net.endpoint(pairs[i].from);
    for (const ArcId arc : way) {
      ASSERT_EQ(net.tail(arc), at) << net.name();
      at = net.head(arc);
      load[index(arc)] += pairs[i].blocks;
    }
    ASSERT_EQ(at, net.endpoint(pairs[i].to)) << net.name();
  }
  for (const uint64_t pieces : {1U, 3U}) {
    uint64_t rounds = 0;
    for (const ArcId arc : net.arcs())
      rounds = std::max(rounds, (pieces * load[index(arc)] + net.capacity(arc) - 1) / net.capacity(arc));
    EXPECT_EQ(ways.rounds(pieces), rounds) << net.name();
  }
  EXPECT_EQ(ways.busiest(), load.empty() ? 0 : std::ranges::max(load)) << net.name();
}

TEST(PairWays, LeadFromEveryRankToEveryOther) {
  for (const char* spec :
       {"line(1)", "line(2)", "ring(6)", "mesh(3,5)", "torus(3,4)", "hypercube(4)", "complete(7)", "star(4)",
        "kautz(2,3)", "fat_tree(2^3;exponential)", "clos(4)", "gpu_box(2,4;2)", "random_regular(20,3;1)",
        "product(line(3),ring(4),star(3))", "product(kautz(2,2),line(3))", "hyperx(3,4)", "mesh(1,4)"}) {
    const Topology net = parse_topology(spec);
    expect_led_home(net, PairWays(net), all_pairs(net));
    expect_led_home(net, PairWays(net, all_pairs(net)), all_pairs(net));
  }
}

// Each bound is what a cut, or the work of all links, tells.
TEST(PairWays, ShareTheWork) {
  struct Known {
    const char* spec;
    uint64_t bound;
    double within;
  };
  for (const Known& known :
       {Known{"hypercube(6)", 32, 1.0}, Known{"torus(8,8)", 64, 1.04}, Known{"torus(5,7)", 30, 1.1},
        Known{"mesh(6,6)", 54, 1.0}, Known{"mesh(4,6,2)", 72, 1.0}, Known{"clos(8)", 127, 1.0},
        Known{"random_regular(64,4;1)", 48, 1.1}, Known{"dragonfly(2,4,2)", 0, 2.0}}) {
    const Topology net = parse_topology(known.spec);
    const PairWays ways(net);
    uint64_t arcs = 0;
    for (const ArcId arc : net.arcs()) arcs += net.capacity(arc);
    const uint64_t bound = std::max(known.bound, (hops_of_all_pairs(net) + arcs - 1) / arcs);
    EXPECT_GE(ways.rounds(), bound) << known.spec;
    EXPECT_LE(static_cast<double>(ways.rounds()), known.within * static_cast<double>(bound)) << known.spec;
  }
}

// A heavy pair in parts goes several ways: from (0,0) to (2,2) of torus(4,4) there are four that share no link.
TEST(PairWays, PartHeavyPairs) {
  const Topology net = parse_topology("torus(4,4)");
  const std::vector<RankPair> parts(64, RankPair{Rank{0}, Rank{10}, 5});
  const PairWays ways(net, parts);
  expect_led_home(net, ways, parts);
  EXPECT_EQ(ways.rounds(), 64U * 5 / 4);
  EXPECT_EQ(PairWays(net, std::vector<RankPair>{{Rank{0}, Rank{10}, 320}}).rounds(), 320U);
}

RC_GTEST_PROP(PairWays, AreTheSameEachTimeAndCarryAllThatIsGiven, ()) {
  const std::string spec =
      *rc::gen::element<std::string>("torus(3,5)", "mesh(2,3,2)", "clos(4)", "kautz(2,2)", "line(5)");
  const Topology net = parse_topology(spec);
  const auto pairs = *rc::gen::container<std::vector<RankPair>>(rc::gen::construct<RankPair>(
      rc::gen::map(rc::gen::inRange(0U, net.num_endpoints()), [](uint32_t r) { return Rank{r}; }),
      rc::gen::map(rc::gen::inRange(0U, net.num_endpoints()), [](uint32_t r) { return Rank{r}; }),
      rc::gen::inRange(1U, 5'000'000U)));
  const PairWays ways(net, pairs);
  expect_led_home(net, ways, pairs);
  const PairWays again(net, pairs);
  std::vector<ArcId> first;
  std::vector<ArcId> second;
  for (size_t i = 0; i < pairs.size(); ++i) {
    ways.append(i, first);
    again.append(i, second);
  }
  RC_ASSERT(first == second);
}

TEST(HopsOfAllPairs, AreTheDistances) {
  for (const char* spec : {"line(1)", "torus(3,4)", "mesh(2,5)", "star(4)", "clos(4)"}) {
    const Topology net = parse_topology(spec);
    uint64_t sum = 0;
    for (const NodeId v : net.endpoints())
      for (const NodeId w : net.endpoints()) sum += distances_from(net, v)[index(w)];
    EXPECT_EQ(hops_of_all_pairs(net), sum) << spec;
  }
}

}  // namespace pair_ways_test
}  // namespace quadrille
