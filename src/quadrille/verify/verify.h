// The judge of plans.
//
//     Verification v = verify(problem, std::move(plan));
//     if (!v.schedule) print(v.verdict.findings);        // what is wrong, where
//     else run(*v.schedule);
//
// One pass over the plan gives all that the judge can tell: JudgeOptions says what is wanted. A plan that is
// made here need not be there before it is judged: a ScheduleBuilder keeps the steps that it judges,
//
//     ScheduleBuilder builder(problem, {.queues = true});
//     choice.generate(builder);
//     const Verification v = builder.finish();           // v.schedule, v.verdict.queues
//
// and a plan that is too large to keep streams through a Judge, whose memory is the state of the blocks and
// does not grow with the number of steps:
//
//     Judge judge(problem);
//     choice.generate(judge);
//     const Verdict verdict = judge.finish();            // but there is no Schedule
#pragma once

#include <memory>
#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

class Crew;

struct JudgeOptions {
  size_t max_findings = 20;  ///< how many findings are kept; the others are counted
  unsigned threads = 0;      ///< how many may judge large steps at once; 0: one per core
  bool queues = false;       ///< measure queues too (Verdict::queues)
  /// Is handed every step after the judge has taken it: a file that is written, figures of one's own, a line
  /// of progress. May be null; lives as long as steps come.
  StepSink* watcher = nullptr;
  /// Processes that make the same plan and judge it together, where it is large: each follows its share of the blocks, and all
  /// come to the same verdict in finish(), which is collective then. May be null.
  Crew* crew = nullptr;
};

/// Judges steps as they come.
class Judge final : public StepSink {
 public:
  explicit Judge(const Problem& problem, const JudgeOptions& options = {});
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  ~Judge() override;

  void push(const StepView& step) override;
  /// After the last step: checks what must hold in the end. Call it once. With a crew, all processes do.
  [[nodiscard]] Verdict finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct Verification {
  Verdict verdict;
  std::optional<Schedule> schedule;  ///< there iff the verdict passed
};

/// Judges a stored plan.
[[nodiscard]] Verification verify(const Problem& problem, Plan plan, const JudgeOptions& options = {});

/// Judges steps as they come, and keeps them: who makes a plan gets its Schedule from the pass that makes it.
class ScheduleBuilder final : public StepSink {
 public:
  explicit ScheduleBuilder(const Problem& problem, const JudgeOptions& options = {});
  ScheduleBuilder(const ScheduleBuilder&) = delete;
  ScheduleBuilder& operator=(const ScheduleBuilder&) = delete;
  ~ScheduleBuilder() override;

  void push(const StepView& step) override;
  /// After the last step. Call it once; no step may follow.
  [[nodiscard]] Verification finish();

 private:
  Problem problem_;
  Judge judge_;
  Plan plan_;
  bool finished_ = false;
};

}  // namespace quadrille
