#include "quadrille/algorithms/worm_exchange/worm_gossip.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_gossip;
}

namespace worm_gossip_test {

Problem gossip(std::string_view spec, Ports ports, Duplex duplex = Duplex::kFull) {
  Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole, .duplex = duplex};
  return standard_problem(parse_topology(spec), CollectiveKind::kAllgather, model);
}

struct Row {
  std::string_view spec;
  Ports ports;
  uint64_t steps;
};

// The first five, and those of hosts on switches, are as many as any plan takes.
constexpr Row kFound[] = {
    {"ring(9)", kAllPorts, 3},          {"torus(4,4)", kOnePort, 4},
    {"hypercube(4)", Ports{2}, 3},      {"generalized_petersen(5,2)", kAllPorts, 2},
    {"complete(7)", kAllPorts, 1},      {"mesh(4,4)", Ports{2}, 4},
    {"fat_tree(4,4)", kAllPorts, 6},    {"jellyfish(8,3,2;2)", kAllPorts, 3},
    {"dragonfly(1,4,1)", kAllPorts, 3}, {"jellyfish(4,3,4;1)", Ports{2}, 4},
};

TEST(WormGossip, TakesAsFewStepsAsAreKnown) {
  for (const Row& row : kFound) {
    EXPECT_LE(judged_steps(algorithms::allgather_gossip, gossip(row.spec, row.ports)), row.steps) << row.spec;
  }
}

TEST(WormGossip, KeepsPortsCapacitiesRoutersAndHalfDuplexLinks) {
  for (const std::string_view spec :
       {"line(5)", "ring(3)", "mesh(2,3)", "star(3)", "tree(2^2)", "fat_tree(2^2;exponential)"}) {
    for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
      const uint64_t full = judged_steps(algorithms::allgather_gossip, gossip(spec, ports));
      const uint64_t half = judged_steps(algorithms::allgather_gossip, gossip(spec, ports, Duplex::kHalf));
      EXPECT_GE(full, static_cast<uint64_t>(best_bound(gossip(spec, ports)).value.ceil())) << spec;
      EXPECT_LE(half, 2 * full + 1) << spec;
    }
  }
}

TEST(WormGossip, SendsNoBlockTwiceToOneNode) {
  const Problem problem = gossip("mesh(3,3)", kAllPorts);
  Plan plan;
  send_gossip(problem, *gossip_along_paths(problem), plan);
  uint64_t arrivals = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    for (size_t t = 0; t < plan.step(s).size(); ++t) arrivals += plan.step(s).blocks(t).size();
  }
  EXPECT_EQ(arrivals, 9U * 8U);
}

// Of four steps there are plans of 13 to 15 rounds with one port; the first that was found had 15.
TEST(WormGossip, OfAsManyStepsLoadsLinksLittle) {
  const Problem problem = gossip("dragonfly(2,2,1)", kOnePort);
  const Prediction found = prepare(algorithms::allgather_gossip, problem).plans.front()->prediction();
  EXPECT_EQ(found.start_ups, 4U);
  EXPECT_LE(found.critical_blocks, 13U);
}

TEST(WormGossip, IsSearchedForOnceHoweverManyPieces) {
  const Problem one = gossip("mesh(3,3)", kAllPorts);
  const Problem two = standard_problem(one.topology(), CollectiveKind::kAllgather, one.model(), NodeId{0}, 2);
  const auto steps = gossip_along_paths(one);
  EXPECT_EQ(gossip_along_paths(two), steps);
  EXPECT_NE(gossip_along_paths(gossip("mesh(3,3)", kOnePort)), steps);
}

}  // namespace worm_gossip_test
}  // namespace quadrille
