// What the card reaches; that it keeps what it predicts is asked of every card (algorithms/conformance).
#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace combining_dimensions_test {
namespace {

Figures judged(const std::string& spec, std::string_view member) {
  const Problem problem =
      standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {.packets = Packets::kMany});
  const Preparation ready = prepare(*algorithm_catalog().find("alltoall_combining_dimensions"), problem);
  EXPECT_TRUE(ready.fits.applies) << ready.fits.reason;
  Judge judge(problem);
  ready.find(member)->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << spec << " " << member;
  return verdict.figures;
}

TEST(CombiningDimensions, TakeTheDiametersInTurnOrTheLargestOfThemInEveryDimensionAtOnce) {
  EXPECT_EQ(judged("mesh(3,7)", "in_turn").start_ups, 2U + 6U);
  EXPECT_EQ(judged("mesh(3,7)", "at_once").start_ups, 2U * 6U);
  EXPECT_EQ(judged("mesh(2,3,4)", "in_turn").start_ups, 1U + 2U + 3U);
  EXPECT_EQ(judged("mesh(2,3,4)", "at_once").start_ups, 3U * 3U);
  EXPECT_EQ(judged("product(line(4),complete(3))", "in_turn").start_ups, 3U + 1U);
}

TEST(CombiningDimensions, AllDimensionsAtOnceShareTheWork) {
  // Half of all blocks cross the middle of one dimension: n^3 / 4 over n links, each way.
  for (const uint32_t side : {6U, 16U}) {
    const std::string spec = "mesh(" + std::to_string(side) + "," + std::to_string(side) + ")";
    const uint64_t bound = uint64_t{side} * side * side / 4;
    const uint64_t rounds = judged(spec, "at_once").critical_blocks;
    EXPECT_GE(rounds, bound);
    EXPECT_LE(rounds, bound + bound / 6) << spec;
    EXPECT_GE(judged(spec, "in_turn").critical_blocks, 2 * bound) << spec;
  }
}

TEST(CombiningDimensions, TakeAsManyRoundsAsTheySayOverLanes) {
  for (const char* factors :
       {"edges(\"a b 2, b c 3\"),line(3)", "edges(\"a b 2, b c, c d 4, d a 2\"),line(2)"}) {
    for (const Model& model : {Model{.packets = Packets::kMany}, Model{.switching = Switching::kWormhole}}) {
      const Problem problem = standard_problem(parse_topology(std::string("product(") + factors + ")"),
                                               CollectiveKind::kAlltoall, model);
      const Preparation ready = prepare(*algorithm_catalog().find("alltoall_combining_dimensions"), problem);
      ASSERT_TRUE(ready.fits.applies) << ready.fits.reason;
      for (const PreparedPlan& plan : ready.plans) {
        Judge judge(problem);
        plan->generate(judge);
        const Verdict verdict = judge.finish();
        EXPECT_TRUE(verdict.passed()) << factors;
        EXPECT_EQ(verdict.figures.critical_blocks, plan->prediction().critical_blocks) << factors;
      }
    }
  }
}

TEST(CombiningDimensions, LeavesCayleyGraphsToThoseWhoKnowThatAllNodesAreAlike) {
  const auto reason = [](const char* spec) {
    const Problem problem =
        standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {.packets = Packets::kMany});
    return prepare(*algorithm_catalog().find("alltoall_combining_dimensions"), problem).fits.reason;
  };
  EXPECT_NE(reason("torus(4,4)"), "");
  EXPECT_NE(reason("random_regular(12,3;1)"), "");
  EXPECT_NE(reason("mesh(2,300)"), "");
  EXPECT_EQ(reason("mesh(2,256)"), "");
}

}  // namespace
}  // namespace combining_dimensions_test
}  // namespace quadrille
