#include "quadrille/program/arrays/array_layout.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lowering/lower_slices.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_mesh;
extern const Algorithm gather_furthest_first;
extern const Algorithm scatter_furthest_first;
}  // namespace algorithms

namespace array_layout_test {

using ::quadrille::testing::made_by;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// How often and how many blocks.
using Price = std::pair<uint32_t, uint64_t>;

Price price(const Schedule& schedule) {
  const ArrayLayout layout = lay_out_arrays(schedule);
  const std::vector<Finding> findings = check_array_layout(schedule, layout);
  EXPECT_THAT(findings, IsEmpty()) << schedule.problem().title() << ": " << to_text(findings.front());
  return {layout.rearrangements(), layout.rearranged()};
}

TEST(ArrayLayout, TheMeshExchangeRearrangesTwice) {
  const Algorithm& mesh = algorithms::alltoall_mesh;
  EXPECT_EQ(price(made_by(mesh, "mesh(4,6)")), Price(2, 46));
  EXPECT_EQ(price(made_by(mesh, "mesh(6,6)")), Price(2, 70));
  EXPECT_EQ(price(made_by(mesh, "mesh(8,8)")), Price(2, 126));
  // Where rings have one step or none, fewer do.
  EXPECT_EQ(price(made_by(mesh, "mesh(4,4)")), Price(1, 15));
  EXPECT_EQ(price(made_by(mesh, "mesh(2,2)")), Price(0, 0));
  EXPECT_EQ(price(made_by(mesh, "line(2)")), Price(0, 0));
}

TEST(ArrayLayout, OddSidesAndMoreDimensions) {
  const Algorithm& mesh = algorithms::alltoall_mesh;
  EXPECT_EQ(price(made_by(mesh, "mesh(3,3)")), Price(2, 30));
  EXPECT_EQ(price(made_by(mesh, "mesh(7,7)")), Price(3, 189));
  EXPECT_EQ(price(made_by(mesh, "mesh(2,2,2)")), Price(1, 7));
  EXPECT_EQ(price(made_by(mesh, "mesh(4,4,4)")), Price(2, 126));
}

TEST(ArrayLayout, AnyScheduleOfMovingBlocksHasOne) {
  EXPECT_EQ(price(made_by(algorithms::alltoall_direct, "mesh(3,3)")).first, 0U);
  EXPECT_EQ(price(made_by(algorithms::scatter_furthest_first, "line(5)")).second, 0U);
  price(made_by(algorithms::gather_furthest_first, "mesh(2,3)"));
}

TEST(ArrayLayout, ProgramsOfSlicesSendOneRunAMessageAndPassTheChecker) {
  for (const std::string_view spec :
       {"line(1)", "line(5)", "mesh(2,2)", "mesh(4,4)", "mesh(3,4)", "mesh(2,2,2)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    const Program program = lower_slices(schedule, lay_out_arrays(schedule));
    const std::vector<Finding> findings = check_program(program);
    EXPECT_THAT(findings, IsEmpty()) << spec << ": " << to_text(findings.front());
    EXPECT_EQ(program.num_messages(), schedule.figures().transfers);
    for (const RankProgram& rank : program.ranks) {
      for (const Action& action : rank.actions) {
        if (!starts_request(action.kind)) continue;
        EXPECT_EQ(rank.runs_of(action).size(), 1U) << to_text(rank, action);
      }
    }
  }
}

TEST(ArrayLayout, EveryFaultIsFound) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  const ArrayLayout good = lay_out_arrays(schedule);
  const auto first_rule = [&](const ArrayLayout& layout) {
    const std::vector<Finding> findings = check_array_layout(schedule, layout);
    return findings.empty() ? std::string_view() : findings.front().rule;
  };
  ArrayLayout bad = good;
  std::swap(bad.arrangements[1].ranks[3][0].block, bad.arrangements[1].ranks[3][14].block);
  EXPECT_EQ(first_rule(bad), "slice");
  bad = good;
  bad.slices[0][0].to.half ^= 1U;  // where the receiver's own send is still being read
  EXPECT_EQ(first_rule(bad), "landing");
  bad = good;
  bad.slices[0][0].from.position -= 1;
  EXPECT_EQ(first_rule(bad), "slice");
  bad = good;
  bad.arrangements[1].ranks[0].pop_back();
  EXPECT_EQ(first_rule(bad), "arrangement");
  bad = good;
  bad.arrangements[1].ranks[0][1].slot = bad.arrangements[1].ranks[0][0].slot;
  EXPECT_EQ(first_rule(bad), "arrangement");
  bad = good;
  bad.arrangements.pop_back();
  EXPECT_EQ(first_rule(bad), "slice");
  bad = good;
  bad.slices[1].pop_back();
  EXPECT_EQ(first_rule(bad), "slice");
}

TEST(ArrayLayout, SaysWhyThereIsNone) {
  EXPECT_THAT(why_no_array_layout(testing::direct_alltoall(4)).value(),
              HasSubstr("in step 1 a node sends or"));
  EXPECT_THAT(why_no_array_layout(testing::ring_reduce_scatter(4)).value(), HasSubstr("do not move"));
  EXPECT_THROW((void)lay_out_arrays(testing::ring_reduce_scatter(4)), InputError);
}

}  // namespace array_layout_test
}  // namespace quadrille
