#include "quadrille/schedule/plan.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace quadrille {
namespace {

Plan two_steps() {
  Plan plan;
  StepBuilder step;
  step.add(ArcId{3}, BlockId{1});
  step.flush(plan);
  const std::vector<ArcId> path{ArcId{0}, ArcId{2}};
  const std::vector<BlockId> blocks{BlockId{0}, BlockId{1}};
  step.add(path, blocks);
  step.add(ArcId{1}, BlockId{5});
  step.flush(plan);
  return plan;
}

static_assert(std::is_nothrow_move_constructible_v<Plan> && std::is_nothrow_move_assignable_v<Plan>);

TEST(Plan, IsAValueThatCopiesAndMoves) {
  const Plan original = two_steps();
  Plan copy = original;
  EXPECT_EQ(copy, original);
  Plan assigned;
  assigned = copy;
  EXPECT_EQ(assigned, original);

  const ArcId* const first_arc = copy.step(0).all_arcs.data();
  const Plan moved = std::move(copy);
  EXPECT_EQ(moved, original);
  EXPECT_EQ(moved.step(0).all_arcs.data(), first_arc) << "moving a plan must not copy its arrays";
}

TEST(Plan, GivesBackTheStepsThatWerePushed) {
  const Plan plan = two_steps();
  ASSERT_EQ(plan.num_steps(), 2U);
  EXPECT_EQ(plan.num_transfers(), 3U);
  EXPECT_TRUE(plan.step(0).is_unit());
  const StepView second = plan.step(1);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second.arcs(0).size(), 2U);
  EXPECT_EQ(second.blocks(0)[1], BlockId{1});
  EXPECT_EQ(second.arcs(1)[0], ArcId{1});
  EXPECT_EQ(second.blocks(1)[0], BlockId{5});
}

TEST(Plan, DiffersWhenATransferOrAnEmptyStepDoes) {
  Plan shorter = two_steps();
  Plan longer = two_steps();
  StepBuilder().flush(longer);
  EXPECT_FALSE(shorter == longer);
  StepBuilder().flush(shorter);
  EXPECT_EQ(shorter, longer);
}

TEST(Plan, ReplaysItself) {
  const Plan plan = two_steps();
  Plan copy;
  plan.replay(copy);
  EXPECT_EQ(copy, plan);
}

}  // namespace
}  // namespace quadrille
