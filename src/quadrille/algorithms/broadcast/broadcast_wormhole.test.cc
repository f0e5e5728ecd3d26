// Broadcast on all-port wormhole tori and meshes: every plan judged, and its steps against formulas and the
// bound.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_mesh_blocks;
extern const Algorithm broadcast_spans;
extern const Algorithm broadcast_spread_align_expand;
extern const Algorithm broadcast_wormhole_best;
}  // namespace algorithms

namespace broadcast_wormhole_test {

Model worms(Routing routing = Routing::kDimensionOrder) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = routing;
  return model;
}

std::string square(uint32_t k, uint32_t n) {
  return fmt::format("torus({})", fmt::join(std::vector<uint32_t>(k, n), ","));
}

Problem broadcast_on(std::string_view spec, Model model = worms(), NodeId root = kNoNode) {
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model, root);
}

// Judged steps; every node hears once.
uint64_t steps(const Algorithm& card, const Problem& problem) {
  EXPECT_TRUE(card.applies(problem).applies) << card.applies(problem).reason;
  Judge judge(problem);
  card.plan_for(problem)->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << ", " << problem.title() << ": "
                                << to_text(verdict.findings.front());
  EXPECT_EQ(verdict.figures.transfers, problem.topology().num_nodes() - 1U) << problem.title();
  return verdict.figures.steps;
}

uint64_t bound(const Problem& problem) { return static_cast<uint64_t>(best_bound(problem).value.ceil()); }

uint64_t spans_formula(uint32_t k, uint32_t n) {
  return k * steps_to_reach(2 * k + 1, n) + (n >= 4 ? k - 1 : 0);
}

// All cards on one square torus, from a root of its own.
void judge_square(uint32_t k, uint32_t n, uint32_t root) {
  const Problem problem = broadcast_on(square(k, n), worms(), NodeId{root});
  const uint64_t least = bound(problem);
  EXPECT_EQ(steps(algorithms::broadcast_spans, problem), spans_formula(k, n)) << problem.title();
  const uint64_t boxes = steps(algorithms::broadcast_mesh_blocks, problem);
  const uint64_t best = steps(algorithms::broadcast_wormhole_best, problem);
  EXPECT_LE(best, std::min(boxes, spans_formula(k, n)));
  EXPECT_LE(least, best);
  if (k <= 3) {
    EXPECT_LE(best, least + 1) << problem.title();
  }
  if (k == 1 || n < 3) return;
  const uint64_t spread = steps(algorithms::broadcast_spread_align_expand, problem);
  EXPECT_LE(best, spread);
  if (k == 2) {
    EXPECT_EQ(spread, 1 + steps_to_reach(5, n) + steps_to_reach(5, (n + 1) / 2)) << problem.title();
  }
}

TEST(BroadcastWormhole, EveryMethodIsJudgedOnSmallSquareTori) {
  for (uint32_t n = 2; n <= 30; ++n) judge_square(1, n, n / 3);
  for (uint32_t n = 2; n <= 17; ++n) judge_square(2, n, 3 * n / 2);
  for (uint32_t n = 2; n <= 6; ++n) judge_square(3, n, n * n - 1);
  for (uint32_t n = 2; n <= 4; ++n) judge_square(4, n, 5);
  for (uint32_t n = 2; n <= 3; ++n) judge_square(5, n, 7);
}

TEST(BroadcastWormholeSlow, EveryMethodIsJudgedOnTwoDimensionalToriUpTo126) {
  for (uint32_t n = 18; n <= 128; ++n) judge_square(2, n, 5 * n + 1);
}

TEST(BroadcastWormholeSlow, EveryMethodIsJudgedOnToriOfMoreDimensions) {
  for (uint32_t n = 7; n <= 19; ++n) judge_square(3, n, 2 * n);
  for (uint32_t n = 5; n <= 9; ++n) judge_square(4, n, n + 3);
  judge_square(5, 4, 100);
  judge_square(6, 3, 700);
}

TEST(BroadcastWormholeSlow, BestStaysWithinAStepOfTheBoundInThreeDimensions) {
  for (uint32_t n = 20; n <= 32; ++n) {
    const Problem problem = broadcast_on(square(3, n));
    EXPECT_LE(steps(algorithms::broadcast_wormhole_best, problem), bound(problem) + 1) << n;
  }
}

TEST(BroadcastWormholeSlow, LargeCubesOfTheComparisonAreJudged) {
  const std::vector<std::pair<uint32_t, uint64_t>> cubes = {{33, 6}, {48, 7}, {49, 7}, {50, 7}, {64, 8}};
  for (const auto& [side, expected] : cubes)
    EXPECT_EQ(steps(algorithms::broadcast_wormhole_best, broadcast_on(square(3, side))), expected) << side;
}

TEST(BroadcastWormhole, BestServesDimensionsOneAfterAnother) {
  const auto best = [](std::string_view spec, uint32_t root) {
    return steps(algorithms::broadcast_wormhole_best, broadcast_on(spec, worms(), NodeId{root}));
  };
  EXPECT_EQ(best("hypercube(9)", 37), 4U);
  EXPECT_EQ(best(square(7, 3), 1500), 4U);
  EXPECT_LE(best("product(line(5),ring(3),line(4),ring(2),ring(3))", 100), 5U);
}

TEST(BroadcastWormhole, BestMeetsTheBoundWhereItIsSaidTo) {
  for (const std::string_view spec :
       {"torus(10,10)",    "torus(20,20)",    "torus(21,21)",   "torus(40,40)",     "torus(42,42)",
        "torus(4,4,4)",    "torus(6,6,6)",    "torus(8,8,8)",   "torus(9,9,9)",     "torus(10,10,10)",
        "torus(11,11,11)", "torus(13,13,13)", "torus(6,6,6,6)", "torus(7,7,7,7)",   "torus(15,15,15)",
        "torus(18,18,18)", "torus(4,4,4,4)",  "torus(5,5,5,5)", "torus(3,3,3,3,3)", "hypercube(3)",
        "hypercube(4)",    "hypercube(5)",    "torus(4,6,8)",   "torus(20,3)",      "torus(12,5)",
        "torus(30,13)",    "torus(5,7)",      "torus(9,25)",    "torus(4,4,4,4,4)", "torus(3,3,3,3,3,3)",
        "hypercube(6)",    "hypercube(8)",    "torus(6,10)",    "torus(10,6)"}) {
    const Problem problem = broadcast_on(spec);
    EXPECT_EQ(steps(algorithms::broadcast_wormhole_best, problem), bound(problem)) << spec;
  }
}

TEST(BroadcastMeshBlocks, ServesAnySidesFromAnyRoot) {
  for (const std::string_view spec :
       {"mesh(7,5)", "mesh(3,4,5)", "torus(9,25)", "torus(3,20)", "torus(20,3)", "torus(5,2)", "hypercube(5)",
        "line(13)", "product(ring(5),line(4),ring(2))", "torus(1,3,2)", "mesh(2,1)", "torus(1)"}) {
    const Topology topology = parse_topology(spec);
    const Routing routing = topology.product() == nullptr ? Routing::kShortest : Routing::kDimensionOrder;
    for (uint32_t root = 0; root < topology.num_nodes(); root += 1 + topology.num_nodes() / 4) {
      const Problem problem =
          standard_problem(topology, CollectiveKind::kBroadcast, worms(routing), NodeId{root});
      const uint64_t boxes = steps(algorithms::broadcast_mesh_blocks, problem);
      EXPECT_LE(steps(algorithms::broadcast_wormhole_best, problem), boxes);
      EXPECT_LE(boxes, bound(problem) + 2) << spec;
    }
  }
}

TEST(BroadcastMeshBlocks, MeetsTheBoundOnTheseRectangles) {
  for (const std::string_view spec : {"torus(4,8)", "torus(5,7)", "torus(9,25)", "torus(3,20)"}) {
    const Problem problem = broadcast_on(spec);
    EXPECT_EQ(steps(algorithms::broadcast_mesh_blocks, problem), bound(problem)) << spec;
  }
}

TEST(BroadcastWormhole, SaysWhichConditionFails) {
  const auto reason = [](const Algorithm& card, std::string_view spec, Model model) {
    return card.applies(broadcast_on(spec, model)).reason;
  };
  Model packet = worms(Routing::kAny);
  packet.switching = Switching::kPacket;
  EXPECT_EQ(reason(algorithms::broadcast_spans, "torus(4,4)", packet),
            "it needs wormhole switching: its worms take whole paths in one step");
  Model two = worms();
  two.send = Ports{2};
  EXPECT_EQ(reason(algorithms::broadcast_mesh_blocks, "torus(4,4)", two),
            "it needs all ports: node (0,0) has 4 links and may use 2 of them to send and all to receive in "
            "one step");
  Model half = worms();
  half.duplex = Duplex::kHalf;
  EXPECT_EQ(reason(algorithms::broadcast_wormhole_best, "torus(4,4)", half),
            "it needs links that carry worms in both directions at once");
  EXPECT_EQ(reason(algorithms::broadcast_mesh_blocks, "star(4)", worms(Routing::kAny)),
            "it needs a torus or a mesh, of any sides; star(4) is none");
  EXPECT_EQ(reason(algorithms::broadcast_spans, "torus(4,5)", worms()),
            "it needs a torus with equal sides of at least 2; torus(4,5) has not, see broadcast_mesh_blocks "
            "for any sides");
  EXPECT_EQ(
      reason(algorithms::broadcast_spans, "torus(1)", worms()),
      "it needs a torus with equal sides of at least 2; torus(1) has not, see broadcast_mesh_blocks for any "
      "sides");
  EXPECT_EQ(reason(algorithms::broadcast_spread_align_expand, "torus(2,2)", worms()),
            "it needs a torus with two or more dimensions and equal sides of at least 3; torus(2,2) is none");
}

TEST(BroadcastWormhole, RefusesRootsAndTopologiesThatDoNotExist) {
  EXPECT_THROW(static_cast<void>(broadcast_on("torus(4,4)", worms(), NodeId{16})), InputError);
  EXPECT_THROW(static_cast<void>(parse_topology("torus()")), InputError);
  EXPECT_THROW(static_cast<void>(parse_topology("torus(0,4)")), InputError);
}

}  // namespace broadcast_wormhole_test
}  // namespace quadrille
