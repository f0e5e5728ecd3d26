// Twenty problems in pieces whose figures were known before Quadrille made them: each by the name of its card and by what
// auto finds, every plan through the judge.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <ostream>
#include <string_view>

#include "quadrille/compile/compile.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace acceptance_test {

// Packets one a link and step, many, or paths that share links.
enum class Over : uint8_t { kOne, kMany, kShared };

struct Case {
  int number;
  CollectiveKind kind;
  const char* spec;
  uint32_t ports;  // 0: all
  Over over;
  uint32_t pieces;
  const char* card;
  uint64_t start_ups;
  uint64_t rounds;        // in pieces, on the critical path
  uint64_t least_steps;   // 0: the bound is below, and nothing is said of it
  uint64_t least_rounds;  // 0: the same

  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << "case " << c.number << ", " << name_of(c.kind) << " on " << c.spec << ", " << c.card;
  }
};

constexpr auto kBroadcast = CollectiveKind::kBroadcast;
constexpr auto kAllreduce = CollectiveKind::kAllreduce;

constexpr std::array kCases = {
    Case{1, kBroadcast, "torus(4,4)", 0, Over::kOne, 16, "broadcast_disjoint_trees", 7, 7, 7, 7},
    Case{2, kBroadcast, "torus(8,8)", 0, Over::kOne, 16, "broadcast_disjoint_trees", 11, 11, 11, 11},
    Case{3, kBroadcast, "torus(8,8)", 0, Over::kOne, 32, "broadcast_disjoint_trees", 15, 15, 15, 15},
    Case{4, kBroadcast, "hypercube(6)", 0, Over::kOne, 48, "broadcast_disjoint_trees", 13, 13, 13, 13},
    Case{5, kBroadcast, "torus(4,4,4)", 0, Over::kOne, 48, "broadcast_disjoint_trees", 13, 13, 13, 13},
    Case{6, kBroadcast, "torus(5,7)", 0, Over::kOne, 16, "broadcast_disjoint_trees", 9, 9, 9, 9},
    Case{7, kBroadcast, "torus(3,3)", 0, Over::kOne, 32, "broadcast_disjoint_trees", 10, 10, 10, 10},
    Case{8, kBroadcast, "torus(2,5)", 0, Over::kOne, 12, "broadcast_disjoint_trees", 7, 7, 7, 7},
    Case{9, kBroadcast, "mesh(8,8)", 0, Over::kOne, 32, "broadcast_disjoint_trees", 29, 29, 29, 29},
    Case{10, CollectiveKind::kReduce, "torus(8,8)", 0, Over::kOne, 16, "reduce_disjoint_trees", 11, 11, 11,
         11},
    Case{11, CollectiveKind::kAllgather, "torus(8,8)", 0, Over::kMany, 4, "allgather_dimensions", 8, 63, 8,
         63},
    Case{12, CollectiveKind::kAllgather, "mesh(8,8)", 0, Over::kMany, 4, "allgather_dimensions", 14, 126, 14,
         126},
    Case{13, CollectiveKind::kReduceScatter, "torus(5,7)", 0, Over::kMany, 2, "reduce_scatter_shells", 5, 17,
         5, 17},
    Case{14, kAllreduce, "torus(8,8)", 0, Over::kMany, 256, "allreduce_dimensions", 16, 126, 0, 126},
    Case{15, kAllreduce, "hypercube(6)", 0, Over::kMany, 384, "allreduce_dimensions", 12, 126, 0, 126},
    Case{16, kAllreduce, "complete(24)", 1, Over::kMany, 24, "allreduce_circulant", 10, 46, 0, 46},
    Case{17, kAllreduce, "complete(64)", 1, Over::kMany, 64, "allreduce_halving:merged-1", 11, 126, 0, 126},
    Case{18, kBroadcast, "complete(16)", 1, Over::kOne, 8, "broadcast_circulant", 11, 11, 11, 11},
    Case{19, kAllreduce, "torus(8,8)", 4, Over::kShared, 128, "allreduce_lattice:steps-9-near", 9, 70, 0, 0},
    Case{20, kAllreduce, "mesh(8,8)", 0, Over::kMany, 256, "allreduce_combs", 37, 255, 0, 144},
};

Problem problem_of(const Case& c, uint32_t pieces) {
  Model model;
  if (c.ports > 0) model.send = model.receive = Ports{c.ports};
  if (c.over == Over::kMany) model.packets = Packets::kMany;
  if (c.over == Over::kShared) model.switching = Switching::kShared;
  model.cost = default_machine().cost;
  return standard_problem(parse_topology(c.spec), c.kind, model, kNoNode, pieces);
}

class Acceptance : public ::testing::TestWithParam<Case> {};

TEST_P(Acceptance, ByNameTheFiguresAreTheKnownOnesAndTheBoundsSaySo) {
  const Case& c = GetParam();
  const Problem problem = problem_of(c, c.pieces);
  const Compiled made = compile(problem, {.algorithm = c.card, .stored = false});
  ASSERT_TRUE(made.verdict.passed());
  EXPECT_EQ(made.verdict.figures.start_ups, c.start_ups);
  EXPECT_EQ(made.verdict.figures.critical_blocks, c.rounds);
  if (c.least_steps > 0) {
    EXPECT_EQ(made.least_steps().value.ceil(), Int128{c.least_steps});
  }
  if (c.least_rounds > 0) {
    // What a link carries, in so many pieces that start-ups are nothing.
    constexpr uint64_t kBytes = uint64_t{1} << 40U;
    const Compiled timed = compile(problem, {.algorithm = c.card, .bytes = kBytes, .stored = false});
    ASSERT_TRUE(timed.time);
    const double piece = std::ceil(static_cast<double>(kBytes) / c.pieces) * problem.model().cost.tx;
    EXPECT_NEAR(timed.time->total / piece, static_cast<double>(c.rounds), 1e-3);
    EXPECT_LE(timed.time->least, timed.time->total * (1 + 1e-9));
  }
  if (c.ports > 0) {
    EXPECT_LE(made.verdict.figures.messages, c.ports);
  }
}

TEST_P(Acceptance, AutoFindsNoLessThanTheCard) {
  const Case& c = GetParam();
  constexpr uint64_t kBytes = uint64_t{1} << 30U;
  const Problem problem = problem_of(c, c.pieces);
  const std::optional<PlanTime> named =
      compile(problem, {.algorithm = c.card, .bytes = kBytes, .stored = false}).time;
  ASSERT_TRUE(named);
  // In as many pieces, by steps where each carries one and by time.
  if (c.over == Over::kOne) {
    const Compiled by_steps = compile(problem, {.stored = false});
    ASSERT_TRUE(by_steps.verdict.passed());
    EXPECT_EQ(by_steps.verdict.figures.steps, c.start_ups);
    EXPECT_TRUE(by_steps.optimal());
  }
  const Compiled by_time = compile(problem, {.bytes = kBytes, .stored = false});
  ASSERT_TRUE(by_time.verdict.passed());
  ASSERT_TRUE(by_time.time);
  EXPECT_LE(by_time.time->total, named->total * (1 + 1e-9)) << by_time.head.algorithm;
}

INSTANTIATE_TEST_SUITE_P(Chunks, Acceptance, ::testing::ValuesIn(kCases),
                         [](const auto& given) { return "case_" + std::to_string(given.param.number); });

}  // namespace acceptance_test
}  // namespace quadrille
