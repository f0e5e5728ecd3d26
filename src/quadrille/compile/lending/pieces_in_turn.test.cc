#include "quadrille/compile/lending/pieces_in_turn.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace pieces_in_turn_test {

Problem problem_on(std::string_view spec, CollectiveKind kind, uint32_t pieces, Model model = {}) {
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

// Judged; what is predicted is what it takes, unless steps were made fewer.
uint64_t steps_of(const Problem& problem, const std::string& algorithm) {
  const Compiled made = compile(problem, {.algorithm = algorithm, .stored = false});
  EXPECT_TRUE(made.verdict.passed()) << problem.title() << " " << algorithm;
  EXPECT_EQ(made.head.stated_figures.steps, made.verdict.figures.steps)
      << problem.title() << " " << algorithm;
  return made.verdict.figures.steps;
}

TEST(PiecesInTurn, MakesPlansOfPlansForFewerPieces) {
  for (const char* spec : {"line(2)", "ring(5)", "mesh(2,3)", "edges(\"a b, b c, c d, d a, a e, e f\")"}) {
    for (const uint32_t ports : {0U, 1U}) {
      const Model model{.send = {ports}, .receive = {ports}};
      for (const auto& [kind, algorithm] :
           {std::pair(CollectiveKind::kAlltoall, "alltoall_direct"),
            std::pair(CollectiveKind::kScatter, "scatter_balanced_tree"),
            std::pair(CollectiveKind::kGather, "gather_balanced_tree"),
            std::pair(CollectiveKind::kAllgather, "allgather_flooding"),
            std::pair(CollectiveKind::kReduceScatter, "reduce_scatter_flooding")}) {
        const std::string name = algorithm;
        const uint64_t one = steps_of(problem_on(spec, kind, 1, model), name);
        const uint64_t three = steps_of(problem_on(spec, kind, 3, model), name);
        const uint64_t two = steps_of(problem_on(spec, kind, 2, model), name);
        EXPECT_LE(steps_of(problem_on(spec, kind, 6, model), "in_turn(" + name + ")"), 6 * one);
        EXPECT_LE(steps_of(problem_on(spec, kind, 6, model), "in_turn_3(" + name + ")"), 2 * three);
        EXPECT_LE(steps_of(problem_on(spec, kind, 8, model), "in_turn_3(" + name + ")"), 2 * three + two)
            << "two pieces are left";
      }
    }
  }
}

// Too many deliveries to be compacted: figures follow from those of the lenders, and steps are pushed as they come.
TEST(PiecesInTurn, StreamsWhatIsLarge) {
  const Problem problem = problem_on("ring(64)", CollectiveKind::kAlltoall, 33);
  const uint64_t one = steps_of(problem_on("ring(64)", CollectiveKind::kAlltoall, 1), "alltoall_direct");
  const uint64_t nine = steps_of(problem_on("ring(64)", CollectiveKind::kAlltoall, 9), "alltoall_direct");
  const uint64_t six = steps_of(problem_on("ring(64)", CollectiveKind::kAlltoall, 6), "alltoall_direct");
  EXPECT_EQ(steps_of(problem, "in_turn(alltoall_direct)"), 33 * one);
  EXPECT_EQ(steps_of(problem, "in_turn_9(alltoall_direct)"), 3 * nine + six);
}

TEST(PiecesInTurn, GoAsManyAtATimeAsAreSoonSearchedFor) {
  const auto at_once = [](std::string_view spec, CollectiveKind kind, uint32_t pieces, uint64_t least) {
    return pieces_at_once(problem_on(spec, kind, pieces), least);
  };
  EXPECT_EQ(at_once("ring(64)", CollectiveKind::kAlltoall, 64, 1), 0U) << "2^18 blocks go together";
  EXPECT_EQ(at_once("ring(64)", CollectiveKind::kAlltoall, 65, 1), 33U) << "or in two rounds";
  EXPECT_EQ(at_once("ring(64)", CollectiveKind::kAllgather, 640, 1), 64U);
  EXPECT_EQ(at_once("ring(600)", CollectiveKind::kAlltoall, 2, 1), 1U);
  EXPECT_EQ(at_once("ring(600)", CollectiveKind::kAlltoall, 1, 1), 0U);
  EXPECT_EQ(at_once("ring(64)", CollectiveKind::kBroadcast, 1U << 20U, 1), 0U) << "pieces follow each other";
  EXPECT_EQ(at_once("ring(64)", CollectiveKind::kScatter, 100, 100), 0U);
  EXPECT_GT(at_once("ring(64)", CollectiveKind::kScatter, 10'000, 315'000), 0U);
  Model shared;
  shared.switching = Switching::kShared;
  EXPECT_EQ(pieces_at_once(problem_on("ring(64)", CollectiveKind::kAlltoall, 65, shared), 1), 0U)
      << "one message has all of them";
}

// As near the bound as one piece is.
TEST(PiecesInTurn, AutoTakesThemWhereThereAreMany) {
  const std::string spec = "random_regular(40,4;3)";
  const Problem one = problem_on(spec, CollectiveKind::kAlltoall, 1);
  const Problem many = problem_on(spec, CollectiveKind::kAlltoall, 200);
  const Compiled made = compile(many, {.stored = false});
  EXPECT_TRUE(made.verdict.passed());
  EXPECT_LE(made.verdict.figures.steps, 200 * steps_of(one, "auto"));
  EXPECT_TRUE(made.head.algorithm.starts_with("in_turn_")) << made.head.algorithm;
}

TEST(PiecesInTurn, RefusesWhatIsNoNumber) {
  const Problem problem = problem_on("ring(5)", CollectiveKind::kScatter, 4);
  for (const char* name : {"in_turn_", "in_turn_0", "in_turn_4", "in_turn_x", "in_turn_2x", "in_turn2"}) {
    EXPECT_FALSE(find_in_turn_loan(problem, name)) << name;
    EXPECT_THROW(steps_of(problem, std::string(name) + "(scatter_flow)"), InputError) << name;
  }
}

}  // namespace pieces_in_turn_test
}  // namespace quadrille
