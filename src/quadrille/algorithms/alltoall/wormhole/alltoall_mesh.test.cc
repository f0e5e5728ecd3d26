#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/worm_exchange/mesh_exchange.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh_longest_first;
}  // namespace algorithms

namespace alltoall_mesh_test {

using ::testing::HasSubstr;

Problem worms_on(std::string_view spec, Duplex duplex = Duplex::kFull, uint32_t pieces = 1,
                 Routing routing = Routing::kShortest) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.duplex = duplex;
  model.routing = routing;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

struct Cost {
  uint64_t start_ups = 0;
  uint64_t blocks = 0;
  friend bool operator==(const Cost&, const Cost&) = default;
  friend void PrintTo(const Cost& c, std::ostream* out) {
    *out << fmt::format("({}, {})", c.start_ups, c.blocks);
  }
};

// What the judge measures, which must be what the prediction says.
Cost judged(const Problem& problem, const MeshExchangeOptions& options = {}) {
  Judge judge(problem);
  mesh_exchange(problem, options, judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title() << ": " << to_text(verdict.findings.front());
  const Prediction prediction = mesh_exchange_prediction(problem, options);
  EXPECT_EQ(prediction.start_ups, verdict.figures.start_ups) << problem.title();
  EXPECT_EQ(prediction.steps, verdict.figures.steps) << problem.title();
  EXPECT_EQ(prediction.critical_blocks, verdict.figures.critical_blocks) << problem.title();
  EXPECT_EQ(prediction.critical_hops, verdict.figures.critical_hops) << problem.title();
  return {verdict.figures.start_ups, verdict.figures.critical_blocks};
}

TEST(AlltoallMesh, EvenSidesCostCStartUpsAndHalfOfRCSquaredBlocks) {
  for (uint64_t rows = 2; rows <= 8; rows += 2) {
    for (uint64_t columns = rows; columns <= 8; columns += 2) {
      const Cost cost{columns, rows * columns * columns / 2};
      EXPECT_EQ(judged(worms_on(fmt::format("mesh({},{})", rows, columns))), cost);
      EXPECT_EQ(judged(worms_on(fmt::format("mesh({},{})", columns, rows))), cost);
    }
  }
}

TEST(AlltoallMesh, OddSidesCostOneStartUpMoreEach) {
  const std::pair<std::string_view, Cost> table[] = {
      {"mesh(3,3)", {6, 37}},    {"mesh(5,5)", {8, 116}},    {"mesh(7,7)", {10, 267}},
      {"mesh(3,4)", {5, 36}},    {"mesh(4,3)", {5, 36}},     {"mesh(5,6)", {7, 114}},
      {"mesh(6,5)", {7, 114}},   {"mesh(1,5)", {5, 12}},     {"mesh(3,3,3)", {9, 207}},
      {"mesh(4,5,3)", {9, 356}}, {"mesh(3,5,7)", {13, 961}},
  };
  for (const auto& [spec, cost] : table) {
    const Cost measured = judged(worms_on(spec));
    EXPECT_EQ(measured, cost) << spec;
  }
}

TEST(AlltoallMesh, SidesOfOneAreNoDimensions) {
  EXPECT_EQ(judged(worms_on("mesh(1,4,1,6)")), judged(worms_on("mesh(4,6)")));
  EXPECT_EQ(judged(worms_on("mesh(1,1)")), (Cost{0, 0}));
  EXPECT_EQ(judged(worms_on("line(2)")), (Cost{1, 1}));
  EXPECT_EQ(judged(worms_on("line(3)")), (Cost{3, 5}));
  EXPECT_EQ(judged(worms_on("mesh(8,1)")), judged(worms_on("line(8)")));
}

TEST(AlltoallMesh, TheLongestDimensionIsCheaperLast) {
  EXPECT_EQ(judged(worms_on("mesh(4,4,6)")), (Cost{8, 384}));
  EXPECT_EQ(judged(worms_on("mesh(6,4,4)")), (Cost{8, 384}));
  const MeshExchangeOptions published{.order = MeshExchangeOptions::Order::kLongestFirst};
  EXPECT_EQ(judged(worms_on("mesh(4,4,6)"), published), (Cost{9, 432}));
  EXPECT_EQ(judged(worms_on("mesh(2,4,2)"), published), (Cost{6, 48}));
  EXPECT_EQ(judged(worms_on("mesh(2,4,2)")), (Cost{5, 40}));
}

TEST(AlltoallMesh, CubesOfTwoAndFour) {
  EXPECT_EQ(judged(worms_on("mesh(2,2,2)")), (Cost{3, 12}));
  EXPECT_EQ(judged(worms_on("mesh(2^4)")), (Cost{4, 32}));
  EXPECT_EQ(judged(worms_on("hypercube(4)")), (Cost{4, 32}));
  EXPECT_EQ(judged(worms_on("mesh(4,4,4)")), (Cost{6, 192}));
}

TEST(AlltoallMesh, OddRingsMayRunForwardAtTheSameCost) {
  const MeshExchangeOptions forward{.odd_rings = MeshExchangeOptions::OddRings::kForward};
  for (const std::string_view spec :
       {"mesh(2,4)", "mesh(6,6)", "mesh(5,5)", "mesh(4,6)", "mesh(3,4,5)", "line(7)"}) {
    EXPECT_EQ(judged(worms_on(spec), forward), judged(worms_on(spec))) << spec;
  }
}

TEST(AlltoallMesh, HalfDuplexLinksTakeEveryStepTwice) {
  for (const std::string_view spec : {"mesh(2,2)", "mesh(4,4)", "mesh(4,6)", "mesh(2,4,4)", "line(6)"}) {
    const Cost full = judged(worms_on(spec));
    EXPECT_EQ(judged(worms_on(spec, Duplex::kHalf)), (Cost{2 * full.start_ups, 2 * full.blocks})) << spec;
  }
  EXPECT_EQ(judged(worms_on("mesh(5,5)", Duplex::kHalf)), (Cost{14, 210}));
}

TEST(AlltoallMesh, PiecesTravelTogether) {
  EXPECT_EQ(judged(worms_on("mesh(4,4)", Duplex::kFull, 3)), (Cost{4, 96}));
}

TEST(AlltoallMesh, RearrangesTwiceAllBlocksButTheNodesOwn) {
  const std::pair<std::string_view, uint64_t> table[] = {
      {"mesh(2,2)", 0},  {"mesh(2,4)", 7},  {"mesh(2,8)", 15}, {"mesh(4,4)", 15},
      {"mesh(4,6)", 46}, {"mesh(8,4)", 62}, {"mesh(6,6)", 70}, {"mesh(8,8)", 126},
  };
  for (const auto& [spec, blocks] : table) {
    const Problem problem = worms_on(spec);
    Plan plan;
    mesh_exchange(problem, {}, plan);
    EXPECT_EQ(lay_out_arrays(*verify(problem, std::move(plan)).schedule).rearranged(), blocks) << spec;
    EXPECT_EQ(mesh_exchange_prediction(problem, {}).rearranged, blocks) << spec;
  }
}

// Uses no link from the last node of a ring to its first, nor back.
void expect_within_mesh(const Problem& problem) {
  Plan plan;
  mesh_exchange(problem, {}, plan);
  const MeshShape mesh = *mesh_within(problem.topology());
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) {
        const bool inside = std::ranges::any_of(mesh.dimensions, [&](const MeshShape::Dimension& dimension) {
          const size_t tail = index(problem.topology().tail(arc));
          return dimension.up[tail] == arc || dimension.down[tail] == arc;
        });
        ASSERT_TRUE(inside) << problem.title();
      }
    }
  }
}

TEST(AlltoallMesh, ATorusIsServedAsTheMeshThatItContains) {
  const std::pair<std::string_view, std::string_view> pairs[] = {
      {"ring(3)", "line(3)"},
      {"ring(6)", "line(6)"},
      {"torus(4,4)", "mesh(4,4)"},
      {"torus(4,6)", "mesh(4,6)"},
      {"torus(3,5)", "mesh(3,5)"},
      {"torus(1,7)", "mesh(1,7)"},
      {"torus(2,3)", "mesh(2,3)"},
      {"torus(8,8)", "mesh(8,8)"},
      {"torus(3,4,5)", "mesh(3,4,5)"},
      {"torus(2,2,6)", "mesh(2,2,6)"},
      {"product(ring(5),line(4))", "mesh(5,4)"},
  };
  for (const auto& [torus, mesh] : pairs) {
    for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
      const Problem problem = worms_on(torus, duplex, 1, Routing::kAny);
      EXPECT_EQ(judged(problem), judged(worms_on(mesh, duplex))) << torus;
      expect_within_mesh(problem);
    }
  }
}

TEST(AlltoallMesh, InRingsOfFourNoWormGoesTheLongWayRound) {
  for (const Routing routing : {Routing::kShortest, Routing::kDimensionOrder})
    EXPECT_EQ(judged(worms_on("torus(4,4,2)", Duplex::kFull, 1, routing)), judged(worms_on("mesh(4,4,2)")));
}

TEST(AlltoallMesh, SaysWhatItCannotServe) {
  EXPECT_THAT(mesh_exchange_applies(worms_on("star(4)")).reason, HasSubstr("star(4) is none"));
  EXPECT_THAT(mesh_exchange_applies(worms_on("torus(4,6)")).reason,
              HasSubstr("the long way round a ring of 6 nodes: it needs routing any there, not shortest"));
  EXPECT_THAT(mesh_exchange_applies(worms_on("fat_tree(2^2)")).reason, HasSubstr("has routers"));
  EXPECT_THAT(algorithms::alltoall_mesh_longest_first.applies(worms_on("mesh(4,6)")).reason,
              HasSubstr("three sides or more"));
  const Problem packets = standard_problem(parse_topology("mesh(4,4)"), CollectiveKind::kAlltoall);
  EXPECT_THAT(mesh_exchange_applies(packets).reason, HasSubstr("alltoall_product serves"));
}

TEST(AlltoallMeshSlow, LargerMeshes) {
  EXPECT_EQ(judged(worms_on("mesh(16,16)")), (Cost{16, 2048}));
  EXPECT_EQ(judged(worms_on("mesh(24,32)")), (Cost{32, 12288}));
  EXPECT_EQ(judged(worms_on("mesh(15,15)")), (Cost{18, 2071}));
  EXPECT_EQ(judged(worms_on("mesh(8,8,8)")), (Cost{12, 3072}));
}

}  // namespace alltoall_mesh_test
}  // namespace quadrille
