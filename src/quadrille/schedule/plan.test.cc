#include "quadrille/schedule/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace quadrille {
namespace plan_test {

// Moving a plan must not copy its gigabytes.
static_assert(std::is_nothrow_move_constructible_v<Plan> && std::is_nothrow_move_assignable_v<Plan>);

Plan small_plan() {
  Plan plan;
  StepBuilder step;
  step.add(ArcId{0}, BlockId{7});
  step.add(ArcId{1}, BlockId{8});
  step.flush(plan);
  step.flush(plan);
  step.add(std::vector{ArcId{2}, ArcId{3}}, std::vector{BlockId{1}, BlockId{2}, BlockId{3}});
  step.add(ArcId{4}, BlockId{4}, TransferOp::kCopy);
  step.flush(plan);
  step.add(ArcId{5}, BlockId{5});
  step.flush(plan);
  return plan;
}

TEST(Plan, GivesBackTheStepsThatItWasGiven) {
  const Plan plan = small_plan();
  ASSERT_EQ(plan.num_steps(), 4U);
  EXPECT_EQ(plan.num_transfers(), 5U);
  EXPECT_TRUE(plan.step(0).is_unit());
  EXPECT_EQ(plan.step(0).size(), 2U);
  EXPECT_EQ(plan.step(0).blocks(1)[0], BlockId{8});
  EXPECT_EQ(plan.step(1).size(), 0U);
  const StepView worms = plan.step(2);
  ASSERT_EQ(worms.size(), 2U);
  EXPECT_EQ(worms.arcs(0).size(), 2U);
  EXPECT_EQ(worms.blocks(0).size(), 3U);
  EXPECT_EQ(worms.arcs(1)[0], ArcId{4});
  EXPECT_EQ(worms.op(0), TransferOp::kDefault);
  EXPECT_EQ(worms.op(1), TransferOp::kCopy);
  EXPECT_EQ(plan.step(3).arcs(0)[0], ArcId{5});
  EXPECT_EQ(plan.step(3).op(0), TransferOp::kDefault);
}

TEST(Plan, StepsThatTakeTheSameLinksShareThem) {
  Plan plan;
  StepBuilder step;
  const auto push = [&](std::initializer_list<uint32_t> arcs, uint32_t block) {
    for (const uint32_t arc : arcs) step.add(ArcId{arc}, BlockId{block++});
    step.flush(plan);
  };
  push({0, 1, 2}, 10);
  push({0, 1, 2}, 20);
  push({2, 1, 0}, 30);
  push({}, 0);
  push({2, 1, 0}, 40);
  push({2, 1}, 50);
  push({2, 1}, 60);
  step.add(std::vector{ArcId{2}, ArcId{1}}, std::vector{BlockId{7}});
  step.flush(plan);
  push({2, 1}, 70);
  EXPECT_EQ(plan.step(1).all_arcs.data(), plan.step(0).all_arcs.data());
  EXPECT_EQ(plan.step(6).all_arcs.data(), plan.step(5).all_arcs.data());
  EXPECT_NE(plan.step(2).all_arcs.data(), plan.step(1).all_arcs.data());
  const std::vector<std::vector<ArcId>> arcs = {{ArcId{0}, ArcId{1}, ArcId{2}},
                                                {ArcId{0}, ArcId{1}, ArcId{2}},
                                                {ArcId{2}, ArcId{1}, ArcId{0}},
                                                {},
                                                {ArcId{2}, ArcId{1}, ArcId{0}},
                                                {ArcId{2}, ArcId{1}},
                                                {ArcId{2}, ArcId{1}},
                                                {ArcId{2}, ArcId{1}},
                                                {ArcId{2}, ArcId{1}}};
  ASSERT_EQ(plan.num_steps(), arcs.size());
  for (size_t s = 0; s < arcs.size(); ++s) {
    EXPECT_TRUE(std::ranges::equal(plan.step(s).all_arcs, arcs[s])) << s;
    EXPECT_EQ(plan.step(s).size(), s == 7 ? 1 : arcs[s].size()) << s;
  }
  EXPECT_EQ(plan.step(6).blocks(1)[0], BlockId{61});
  Plan replayed;
  plan.replay(replayed);
  EXPECT_EQ(replayed, plan);
}

TEST(Plan, CopiesAndMovesAreEqualPlans) {
  const Plan plan = small_plan();
  Plan copy = plan;
  EXPECT_EQ(copy, plan);
  Plan other;
  other = copy;
  EXPECT_EQ(other, plan);
  const ArcId* const first_arc = copy.step(0).all_arcs.data();
  Plan moved = std::move(copy);
  EXPECT_EQ(moved, plan);
  EXPECT_EQ(moved.step(0).all_arcs.data(), first_arc);
  other = std::move(moved);
  EXPECT_EQ(other, plan);
}

TEST(Plan, ReplayFillsAnEqualPlan) {
  Plan replayed;
  small_plan().replay(replayed);
  EXPECT_EQ(replayed, small_plan());
}

TEST(Plan, EqualityIsOfTransfersNotOfHowTheyAreStored) {
  // The same step once in the unit form, once in the general form.
  Plan unit;
  StepBuilder step;
  step.add(ArcId{0}, BlockId{1});
  step.add(ArcId{2}, BlockId{3});
  step.flush(unit);
  const std::vector<ArcId> arcs{ArcId{0}, ArcId{2}};
  const std::vector<BlockId> blocks{BlockId{1}, BlockId{3}};
  const std::vector<uint32_t> ends{1, 2};
  const std::vector<TransferOp> ops(2, TransferOp::kDefault);
  Plan general;
  general.push({arcs, ends, blocks, ends, ops});
  EXPECT_EQ(unit, general);
}

TEST(Plan, ADifferentOrderPathBlockOrOpIsAnotherPlan) {
  const auto plan_of = [](std::vector<ArcId> arcs, std::vector<BlockId> blocks, TransferOp op) {
    Plan plan;
    StepBuilder step;
    step.add(arcs, blocks, op);
    step.add(ArcId{9}, BlockId{9});
    step.flush(plan);
    return plan;
  };
  const Plan plan = plan_of({ArcId{0}, ArcId{1}}, {BlockId{2}}, TransferOp::kDefault);
  EXPECT_NE(plan, plan_of({ArcId{1}, ArcId{0}}, {BlockId{2}}, TransferOp::kDefault));
  EXPECT_NE(plan, plan_of({ArcId{0}, ArcId{1}}, {BlockId{3}}, TransferOp::kDefault));
  EXPECT_NE(plan, plan_of({ArcId{0}, ArcId{1}}, {BlockId{2}}, TransferOp::kCopy));
  EXPECT_NE(plan, plan_of({ArcId{0}}, {BlockId{2}}, TransferOp::kDefault));
  EXPECT_NE(plan, Plan());
}

}  // namespace plan_test
}  // namespace quadrille
