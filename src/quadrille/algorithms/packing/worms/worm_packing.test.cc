#include "quadrille/algorithms/packing/worms/worm_packing.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_pairwise;
extern const Algorithm alltoall_wormhole_balanced;
}  // namespace algorithms

namespace worm_packing_test {

struct Row {
  std::string_view spec;
  uint64_t direct;
  uint64_t pairwise;
};

// What packing longest first gives, and pairwise exchange on dimension-order paths alone.
constexpr Row kByHand[] = {
    {"ring(8)", 10, 13},     {"ring(16)", 35, 53},  {"torus(4,4)", 16, 22}, {"torus(6,6)", 42, 70},
    {"torus(8,8)", 84, 138}, {"mesh(4,4)", 21, 27}, {"mesh(6,6)", 61, 79},  {"mesh(8,8)", 139, 219},
};

TEST(WormPacking, ReachesWhatIsKnownOfLongestFirst) {
  for (const Row& row : kByHand) {
    const Problem problem = worms_on(row.spec);
    EXPECT_LE(judged_steps(algorithms::alltoall_direct, problem), row.direct) << row.spec;
    EXPECT_LE(judged_steps(algorithms::alltoall_pairwise, problem), row.pairwise) << row.spec;
  }
}

TEST(WormPacking, PairwiseExchangeOnFoldedClosNetworksIsAsOnACrossbar) {
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  for (const std::string_view spec : {"clos(4)", "clos(6)", "xgft(4,8;1,4)"}) {
    const Problem problem = worms_on(spec, one_port);
    EXPECT_EQ(judged_steps(algorithms::alltoall_pairwise, problem), problem.collective().num_ranks() - 1)
        << spec;
  }
}

TEST(WormPacking, IsNoWorseWhereMorePathsAreAllowed) {
  const Model ordered{.send = kOnePort, .receive = kOnePort, .routing = Routing::kDimensionOrder};
  for (const std::string_view spec : {"torus(4,4)", "torus(5,3)", "mesh(5,4)", "hypercube(4)", "mesh(6,6)"}) {
    for (const Algorithm* card : {&algorithms::alltoall_direct, &algorithms::alltoall_pairwise})
      EXPECT_LE(judged_steps(*card, worms_on(spec)), judged_steps(*card, worms_on(spec, ordered))) << spec;
  }
}

TEST(WormPacking, KeepsPortsCapacitiesAndHalfDuplexLinks) {
  for (const std::string_view spec : {"torus(3,4)", "mesh(3,4)", "fat_tree(2^3;exponential)",
                                      "fat_tree(3^2;constant)", "star(4)", "line(3)"}) {
    for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
      const uint64_t one =
          judged_steps(algorithms::alltoall_direct,
                       worms_on(spec, {.send = kOnePort, .receive = kOnePort, .duplex = duplex}));
      const uint64_t two =
          judged_steps(algorithms::alltoall_direct,
                       worms_on(spec, {.send = Ports{2}, .receive = Ports{2}, .duplex = duplex}));
      const uint64_t all = judged_steps(algorithms::alltoall_direct, worms_on(spec, {.duplex = duplex}));
      EXPECT_LE(two, one) << spec;
      EXPECT_LE(all, two + 1) << spec;
    }
  }
}

TEST(WormPacking, GivesEveryWormOneStepAndTheStepsNoMoreThanTheBudget) {
  const Problem problem = worms_on("ring(5)");
  std::vector<WormPacking::Worm> worms;
  for (uint32_t s = 0; s < 5; ++s) worms.push_back({Rank{s}, Rank{(s + 2) % 5}});
  WormPacking packing(problem);
  packing.pack(worms, 0);
  std::vector<uint32_t> seen(worms.size(), 0);
  for (size_t s = 0; s < packing.num_steps(); ++s) {
    for (const uint32_t w : packing.step(s)) {
      ++seen[w];
      EXPECT_EQ(packing.path(w).size(), 2U);
    }
  }
  EXPECT_EQ(seen, std::vector<uint32_t>(worms.size(), 1));
  // Five worms of two arcs on five arcs: two at a time.
  EXPECT_EQ(packing.num_steps(), 3U);
  packing.pack({}, 1000);
  EXPECT_EQ(packing.num_steps(), 0U);
}

// A ring whose nodes have a chord here and there: shortest ways crowd on the chords.
Topology small_world(uint32_t nodes) {
  TopologyBuilder builder("small world", nodes);
  for (uint32_t v = 0; v < nodes; ++v) {
    builder.link(NodeId{v}, NodeId{(v + 1) % nodes});
    builder.link(NodeId{v}, NodeId{(v + 2) % nodes});
  }
  for (uint32_t v = 0; v + nodes / 2 < nodes; v += 12) builder.link(NodeId{v}, NodeId{v + nodes / 2});
  return builder.build();
}

TEST(WormPacking, PathsThatShareTheWorkOfLinksTakeFewerSteps) {
  for (const uint32_t ports : {1U, 0U}) {
    const Model model{.send = {ports}, .receive = {ports}, .switching = Switching::kWormhole};
    const Problem problem = standard_problem(small_world(72), CollectiveKind::kAlltoall, model);
    const uint64_t shortest = judged_steps(algorithms::alltoall_direct, problem);
    const uint64_t shared = judged_steps(algorithms::alltoall_wormhole_balanced, problem);
    EXPECT_LT(10 * shared, 9 * shortest);
    EXPECT_GE(shared, worm_rounds_at_least(problem));
  }
}

TEST(WormPacking, PathsThatShareTheWorkServeEveryNetworkAndMachine) {
  for (const std::string_view spec :
       {"complete(1)", "complete(2)", "line(3)", "ring(5)", "mesh(2,3)", "torus(3,3)", "hypercube(3)",
        "kautz(2,2)", "fat_tree(2^3;exponential)", "jellyfish(4,3,2;1)", "star(4)"}) {
    const Topology topology = parse_topology(spec);
    uint32_t most_links = 0;
    for (const NodeId v : topology.nodes()) most_links = std::max(most_links, topology.out_degree(v));
    for (const uint32_t ports : {1U, 2U, 0U}) {
      if (ports > most_links) continue;
      for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
        if (duplex == Duplex::kHalf && topology.is_directed()) continue;
        const Problem problem = worms_on(spec, {.send = {ports}, .receive = {ports}, .duplex = duplex});
        EXPECT_GE(judged_steps(algorithms::alltoall_wormhole_balanced, problem),
                  worm_rounds_at_least(problem))
            << spec;
      }
    }
  }
}

TEST(WormPacking, WorksWhereLinksHaveOneDirection) {
  // Three nodes in a directed ring: the way back is another one.
  TopologyBuilder builder("one way round", 3);
  for (uint32_t v = 0; v < 3; ++v) builder.arc(NodeId{v}, NodeId{(v + 1) % 3}, 1);
  Model model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
  const Problem problem = standard_problem(builder.build(), CollectiveKind::kAlltoall, model);
  // Nine arcs to go over three arcs; a worm of two arcs leaves one for a worm of one.
  EXPECT_EQ(judged_steps(algorithms::alltoall_direct, problem), 3U);
}

TEST(WormPacking, OneStepIsFoundOrRefutedWithoutPackingAgain) {
  // Everybody on a ring to the second next: in one step right round. And across, for which each of two steps is full.
  const Problem problem = worms_on("ring(8)");
  const auto packed = [&](uint32_t by) {
    std::vector<WormPacking::Worm> worms;
    for (uint32_t r = 0; r < 8; ++r) worms.push_back({Rank{r}, Rank{(r + by) % 8}});
    WormPacking packing(problem);
    packing.settle_soon();
    packing.pack(worms, 0);  // nothing to spend on trying again
    return packing.num_steps();
  };
  EXPECT_EQ(packed(1), 1U);
  EXPECT_EQ(packed(2), 2U);
  const Problem mesh = worms_on("mesh(2,4)");
  WormPacking packing(mesh);
  packing.settle_soon();
  // First fit by one way each takes two steps for these; they go in one.
  packing.pack({{Rank{0}, Rank{5}}, {Rank{1}, Rank{4}}, {Rank{4}, Rank{1}}, {Rank{5}, Rank{0}}}, 0);
  EXPECT_EQ(packing.num_steps(), 1U);
}

}  // namespace worm_packing_test
}  // namespace quadrille
