#include "quadrille/verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace verify_test {

using ::testing::SizeIs;

Problem down_the_line() {
  TopologyBuilder line("line", 4);
  for (uint32_t v = 0; v < 3; ++v) line.link(NodeId{v}, NodeId{v + 1});
  return standard_problem(line.build(), CollectiveKind::kScatter);
}

// The farthest block first; 0->2 waits at node 1 for a step. Without its last hop if `unfinished`.
void generate(const Problem& problem, StepSink& sink, bool unfinished = false) {
  const auto arc = [&](uint32_t v) { return *problem.topology().find_arc(NodeId{v}, NodeId{v + 1}); };
  StepBuilder step;
  step.add(arc(0), BlockId{3});
  step.flush(sink);
  step.add(arc(0), BlockId{2});
  step.add(arc(1), BlockId{3});
  step.flush(sink);
  step.add(arc(0), BlockId{1});
  step.flush(sink);
  if (!unfinished) step.add(arc(1), BlockId{2});
  step.add(arc(2), BlockId{3});
  step.flush(sink);
}

Plan made(const Problem& problem) {
  Plan plan;
  generate(problem, plan);
  return plan;
}

TEST(Verify, OnePassGivesScheduleQueuesAndWhateverElseIsAsked) {
  const Problem p = down_the_line();
  const uint64_t before = work_counted(Work::kJudging);
  CountingSink watcher;
  const Verification v = verify(p, made(p), {.threads = 1, .queues = true, .watcher = &watcher});
  ASSERT_TRUE(v.schedule.has_value());
  EXPECT_EQ(v.schedule->plan(), made(p));
  EXPECT_EQ(v.schedule->figures(), v.verdict.figures);
  ASSERT_TRUE(v.verdict.queues.has_value());
  EXPECT_EQ(v.verdict.queues->link, 1U) << "block 0->2 arrives in step 2 and goes on in step 4";
  EXPECT_EQ(watcher.steps(), 4U);
  EXPECT_EQ(watcher.transfers(), 6U);
  EXPECT_EQ(work_counted(Work::kJudging) - before, 1U);
}

TEST(Verify, KeepsAsManyFindingsAsAskedFor) {
  const Problem p = down_the_line();
  EXPECT_THAT(verify(p, {}).verdict.findings, SizeIs(3));
  const Verification v = verify(p, {}, {.max_findings = 2});
  EXPECT_THAT(v.verdict.findings, SizeIs(2));
  EXPECT_EQ(v.verdict.total_findings, 3U);
  EXPECT_FALSE(v.schedule.has_value());
}

TEST(ScheduleBuilder, GivesTheScheduleOfThePassThatMakesThePlan) {
  const Problem p = down_the_line();
  const uint64_t before = work_counted(Work::kJudging);
  for (const unsigned threads : {1U, 3U}) {
    CountingSink watcher;
    ScheduleBuilder builder(p, {.threads = threads, .queues = true, .watcher = &watcher});
    generate(p, builder);
    const Verification built = builder.finish();
    const Verification stored = verify(p, made(p), {.queues = true});
    ASSERT_TRUE(built.schedule.has_value());
    EXPECT_EQ(built.schedule->plan(), stored.schedule->plan());
    EXPECT_EQ(built.schedule->figures(), stored.schedule->figures());
    EXPECT_EQ(built.verdict.queues, stored.verdict.queues);
    EXPECT_EQ(watcher.steps(), 4U);
  }
  EXPECT_EQ(work_counted(Work::kJudging) - before, 4U) << "two built, two stored";
}

TEST(ScheduleBuilder, HasNoScheduleForABadPlan) {
  const Problem p = down_the_line();
  ScheduleBuilder builder(p);
  generate(p, builder, true);
  const Verification v = builder.finish();
  EXPECT_FALSE(v.schedule.has_value());
  ASSERT_THAT(v.verdict.findings, SizeIs(1));
  EXPECT_EQ(to_text(v.verdict.findings[0]),
            "at the end: [delivered] block 0->2 is at node 1, not at its destination");
}

TEST(ScheduleBuilder, OutlivesTheProblemThatItWasMadeFor) {
  auto p = std::make_unique<Problem>(down_the_line());
  ScheduleBuilder builder(*p);
  generate(*p, builder);
  p.reset();
  EXPECT_EQ(builder.finish().schedule->problem().title(), "scatter on line");
}

// A second Schedule would have the figures of the first and no steps.
TEST(ScheduleBuilder, IsFinishedOnceAndForGood) {
  const Problem p = down_the_line();
  ScheduleBuilder builder(p);
  generate(p, builder);
  ASSERT_TRUE(builder.finish().schedule.has_value());
  EXPECT_THROW((void)builder.finish(), InternalError);
  EXPECT_THROW(generate(p, builder), InternalError);
}

// Whoever watches may fail: a file on a full disk. The steps until then have been judged, no others.
TEST(ScheduleBuilder, LetsThroughWhatItsWatcherThrows) {
  class Full final : public StepSink {
   public:
    void push(const StepView& step) override {
      if (step.size() == 2) throw std::runtime_error("no space left");
    }
  };
  const Problem p = down_the_line();
  Full full;
  ScheduleBuilder builder(p, {.watcher = &full});
  EXPECT_THROW(generate(p, builder), std::runtime_error);
  const Verification v = builder.finish();
  EXPECT_FALSE(v.schedule.has_value());
  EXPECT_EQ(v.verdict.figures.steps, 2U);
}

TEST(Judge, ShowsItsWatcherEveryStepAsItCame) {
  const Problem p = down_the_line();
  Plan seen;
  Judge judge(p, {.watcher = &seen});
  Plan plan = made(p);
  StepBuilder nonsense;
  nonsense.add(kNoArc, BlockId{0});
  nonsense.flush(plan);
  plan.replay(judge);
  EXPECT_FALSE(judge.finish().passed());
  EXPECT_EQ(seen, plan) << "what has no form is left out for the rules, not for the watcher";
}

}  // namespace verify_test
}  // namespace quadrille
