// The judge of plans.
//
//     Verification v = verify(problem, std::move(plan));
//     if (!v.schedule) print(v.verdict.findings);        // what is wrong, where
//     else run(*v.schedule);
//
// A plan that is too large to store streams through a Judge, which is a StepSink: its memory is the state of
// the blocks and does not grow with the number of steps.
//
//     Judge judge(problem);
//     algorithm.generate(problem, judge);
//     const Verdict verdict = judge.finish();
#pragma once

#include <memory>
#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

struct JudgeOptions {
  size_t max_findings = 20;  ///< how many findings are kept; the others are counted
  unsigned threads = 0;      ///< how many may judge large steps at once; 0: one per core
  bool queues = false;       ///< measure queues too (Verdict::queues)
};

/// Judges steps as they come.
class Judge final : public StepSink {
 public:
  explicit Judge(const Problem& problem, const JudgeOptions& options = {});
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  ~Judge() override;

  void push(const StepView& step) override;
  /// After the last step: checks what must hold in the end. Call it once.
  [[nodiscard]] Verdict finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct Verification {
  Verdict verdict;
  std::optional<Schedule> schedule;  ///< there iff the verdict passed
};

/// Judges a stored plan. The only source of Schedules.
[[nodiscard]] Verification verify(const Problem& problem, Plan plan);

}  // namespace quadrille
