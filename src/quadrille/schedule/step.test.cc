#include "quadrille/schedule/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace step_test {

using ::testing::ElementsAre;

TEST(StepBuilder, OneArcOneBlockTransfersKeepTheUnitForm) {
  StepBuilder step;
  step.add(ArcId{3}, BlockId{5});
  step.add(std::vector{ArcId{4}}, std::vector{BlockId{6}});
  const StepView view = step.view();
  EXPECT_TRUE(view.is_unit());
  EXPECT_EQ(view.size(), 2U);
  EXPECT_THAT(view.arcs(1), ElementsAre(ArcId{4}));
  EXPECT_THAT(view.blocks(1), ElementsAre(BlockId{6}));
}

TEST(StepBuilder, AWormLeavesTheUnitFormAndKeepsWhatCameBefore) {
  StepBuilder step;
  step.add(ArcId{1}, BlockId{1});
  step.add(std::vector{ArcId{2}, ArcId{3}}, std::vector{BlockId{4}, BlockId{5}, BlockId{6}});
  step.add(ArcId{7}, BlockId{8});
  step.add(std::vector{ArcId{9}}, {});
  const StepView view = step.view();
  EXPECT_FALSE(view.is_unit());
  ASSERT_EQ(view.size(), 4U);
  EXPECT_THAT(view.arcs(0), ElementsAre(ArcId{1}));
  EXPECT_THAT(view.arcs(1), ElementsAre(ArcId{2}, ArcId{3}));
  EXPECT_THAT(view.blocks(1), ElementsAre(BlockId{4}, BlockId{5}, BlockId{6}));
  EXPECT_THAT(view.blocks(2), ElementsAre(BlockId{8}));
  EXPECT_THAT(view.blocks(3), ElementsAre());
}

TEST(StepBuilder, OpsAreStoredFromTheFirstCopyOn) {
  StepBuilder step;
  step.add(ArcId{1}, BlockId{1});
  EXPECT_TRUE(step.view().ops.empty());
  step.add(ArcId{2}, BlockId{1}, TransferOp::kCopy);
  step.add(std::vector{ArcId{3}, ArcId{4}}, std::vector{BlockId{1}});
  step.add(std::vector{ArcId{3}, ArcId{4}}, std::vector{BlockId{1}}, TransferOp::kCopy);
  const StepView view = step.view();
  EXPECT_THAT(view.ops,
              ElementsAre(TransferOp::kDefault, TransferOp::kCopy, TransferOp::kDefault, TransferOp::kCopy));
  EXPECT_EQ(view.op(3), TransferOp::kCopy);
}

TEST(StepBuilder, FlushPushesEvenAnEmptyStepAndStartsAfresh) {
  CountingSink sink;
  StepBuilder step;
  step.flush(sink);
  step.add(std::vector{ArcId{2}, ArcId{3}}, std::vector{BlockId{4}}, TransferOp::kCopy);
  step.flush(sink);
  EXPECT_TRUE(step.empty());
  step.add(ArcId{1}, BlockId{1});
  EXPECT_TRUE(step.view().is_unit());
  EXPECT_EQ(step.view().op(0), TransferOp::kDefault);
  step.flush(sink);
  EXPECT_EQ(sink.steps(), 3U);
  EXPECT_EQ(sink.transfers(), 2U);
}

TEST(StepView, AnEmptyViewHasNoTransfers) {
  EXPECT_EQ(StepView{}.size(), 0U);
  EXPECT_TRUE(StepView{}.is_unit());
}

}  // namespace step_test
}  // namespace quadrille
