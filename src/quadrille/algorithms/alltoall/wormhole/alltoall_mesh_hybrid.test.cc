#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_line.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh_hybrid;
}  // namespace algorithms

namespace alltoall_mesh_hybrid_test {

using ::testing::HasSubstr;

const Algorithm& card = algorithms::alltoall_mesh_hybrid;

Problem worms_on(std::string_view spec, double tx = 0, Routing routing = Routing::kShortest) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.routing = routing;
  model.cost.tx = tx;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

using Cost = std::pair<uint64_t, uint64_t>;  // start-ups, critical blocks

Cost judged(const Problem& problem) {
  EXPECT_EQ(card.applies(problem).reason, "");
  Judge judge(problem);
  card.plan_for(problem)->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title() << ": " << to_text(verdict.findings.front());
  const Prediction prediction = card.plan_for(problem)->prediction();
  EXPECT_EQ(prediction.start_ups, verdict.figures.start_ups) << problem.title();
  EXPECT_EQ(prediction.critical_blocks, verdict.figures.critical_blocks) << problem.title();
  EXPECT_EQ(prediction.critical_hops, verdict.figures.critical_hops) << problem.title();
  return {verdict.figures.start_ups, verdict.figures.critical_blocks};
}

TEST(WormLine, CostsAsTabled) {
  const std::tuple<uint32_t, uint32_t, Cost> table[] = {
      {2, 1, {1, 1}},       {4, 1, {3, 7}},       {6, 1, {4, 15}},      {8, 1, {5, 25}},
      {12, 1, {7, 53}},     {12, 2, {6, 63}},     {16, 1, {9, 93}},     {16, 2, {7, 107}},
      {32, 1, {17, 345}},   {32, 2, {11, 395}},   {32, 3, {9, 459}},    {64, 1, {33, 1329}},
      {64, 2, {19, 1443}},  {64, 3, {13, 1643}},  {64, 4, {11, 1907}},  {128, 1, {65, 5193}},
      {128, 2, {35, 5443}}, {128, 3, {21, 5915}}, {128, 4, {15, 6707}}, {128, 5, {13, 7779}},
  };
  for (const auto& [length, level, cost] : table) {
    const LineSchedule line = line_schedule(length, level);
    EXPECT_EQ(Cost(line.phases.size(), line.blocks()), cost) << length << ", level " << level;
  }
}

TEST(AlltoallMeshHybrid, LinesOfEveryLengthAndLevel) {
  for (uint32_t n = 1; n <= 20; ++n) {
    // The dearer a block, the lower the level that is taken.
    for (const double tx : {0.0, 0.02, 0.1, 1.0}) judged(worms_on(fmt::format("line({})", n), tx));
  }
  EXPECT_EQ(judged(worms_on("line(5)")), Cost(4, 6));
  EXPECT_EQ(judged(worms_on("line(7)")), Cost(5, 12));
  EXPECT_EQ(judged(worms_on("mesh(1,16)")), Cost(7, 107));
  EXPECT_EQ(judged(worms_on("line(16)", 1)), Cost(9, 71));
}

TEST(AlltoallMeshHybrid, MeshesWithEvenSides) {
  EXPECT_EQ(judged(worms_on("mesh(2,2)")), Cost(2, 4));
  EXPECT_EQ(judged(worms_on("mesh(2,8)")), Cost(8, 48));
  EXPECT_EQ(judged(worms_on("mesh(8,8)")), Cost(8, 192));
  EXPECT_EQ(judged(worms_on("mesh(8,12)")), Cost(10, 448));
  EXPECT_EQ(judged(worms_on("mesh(12,8)")), Cost(10, 448));
  EXPECT_EQ(judged(worms_on("mesh(6,10)")), Cost(10, 316));
}

TEST(AlltoallMeshHybrid, EveryMemberKeepsWhatItPredicts) {
  for (const std::string_view spec :
       {"line(1)", "line(9)", "line(12)", "line(16)", "mesh(2,24)", "mesh(12,12)", "mesh(8,16)"}) {
    const Problem problem = worms_on(spec);
    for (const PreparedPlan& plan : prepare(card, problem).plans) {
      Judge judge(problem);
      plan->generate(judge);
      const Verdict verdict = judge.finish();
      EXPECT_TRUE(verdict.passed()) << spec << ", " << plan->member();
      EXPECT_EQ(plan->prediction().start_ups, verdict.figures.start_ups) << spec << ", " << plan->member();
      EXPECT_EQ(plan->prediction().critical_blocks, verdict.figures.critical_blocks)
          << spec << ", " << plan->member();
      EXPECT_EQ(plan->prediction().critical_hops, verdict.figures.critical_hops)
          << problem.title() << " " << plan->member();
    }
  }
}

TEST(AlltoallMeshHybrid, ATorusIsServedAsTheMeshThatItContains) {
  const auto torus = [](std::string_view spec) { return judged(worms_on(spec, 0, Routing::kAny)); };
  EXPECT_EQ(torus("ring(5)"), judged(worms_on("line(5)")));
  EXPECT_EQ(torus("ring(16)"), judged(worms_on("line(16)")));
  EXPECT_EQ(torus("torus(8,12)"), judged(worms_on("mesh(8,12)")));
  EXPECT_EQ(torus("torus(2,8)"), judged(worms_on("mesh(2,8)")));
  EXPECT_EQ(judged(worms_on("torus(4,4)")), judged(worms_on("mesh(4,4)")));
  EXPECT_THAT(card.applies(worms_on("ring(4)")).reason, HasSubstr("it needs routing any, not shortest"));
  EXPECT_THAT(card.applies(worms_on("ring(129)", 0, Routing::kAny)).reason,
              HasSubstr("it cuts rings of at most 128 nodes open, not of 129"));
}

using Named = std::pair<std::string, Cost>;

std::vector<Named> members_on(std::string_view spec) {
  std::vector<Named> out;
  for (const PreparedPlan& plan : prepare(card, worms_on(spec)).plans)
    out.push_back({plan->member(), {*plan->prediction().start_ups, *plan->prediction().critical_blocks}});
  return out;
}

TEST(AlltoallMeshHybrid, ItsMembersAreTheFrontOfAllPairsOfLines) {
  EXPECT_EQ(members_on("mesh(2,4)"), (std::vector<Named>{{"rotation-level1", {4, 16}}}));
  EXPECT_EQ(members_on("mesh(32,32)"),
            (std::vector<Named>{
                {"rotation-level2", {16, 14720}}, {"found8", {18, 11008}}, {"found9", {20, 10112}}}));
  // By dimension.
  EXPECT_EQ(members_on("mesh(16,64)"), (std::vector<Named>{{"found5+rotation-level3", {20, 30400}},
                                                           {"rotation-level1+rotation-level2", {24, 26304}},
                                                           {"found6+rotation-level1", {36, 23104}}}));
  EXPECT_EQ(members_on("mesh(1,1)"), (std::vector<Named>{{"nothing", {0, 0}}}));
}

TEST(AlltoallMeshHybrid, SaysWhatItCannotServe) {
  EXPECT_THAT(card.applies(worms_on("mesh(5,4)")).reason, HasSubstr("5 is odd; alltoall_mesh serves"));
  EXPECT_THAT(card.applies(worms_on("mesh(4,4,4)")).reason, HasSubstr("at most two sides"));
  Model model = worms_on("line(4)").model();
  model.duplex = Duplex::kHalf;
  model.routing = Routing::kAny;
  EXPECT_THAT(
      card.applies(standard_problem(parse_topology("line(4)"), CollectiveKind::kAlltoall, model)).reason,
      HasSubstr("half duplex"));
}

TEST(AlltoallMeshHybridSlow, LargerMeshes) {
  EXPECT_EQ(judged(worms_on("mesh(16,16)")), Cost(12, 1344));
  EXPECT_EQ(judged(worms_on("mesh(32,32)")), Cost(16, 14720));
  EXPECT_EQ(judged(worms_on("mesh(32,32)", 0.01)), Cost(20, 10112));
}

}  // namespace alltoall_mesh_hybrid_test
}  // namespace quadrille
