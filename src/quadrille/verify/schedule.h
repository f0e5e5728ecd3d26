// Schedule: a plan that the judge has passed. A fact.
//
// There is no way to make one but to have the judge pass a plan, by verify() or by a ScheduleBuilder
// (verify.h): whoever takes a Schedule (cost, simulation, programs, exports, runs) can rely on it, and a plan
// from a stranger's file works exactly like one of ours.
#pragma once

#include <utility>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

struct JudgeOptions;
struct Verification;

class Schedule {
 public:
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// The judge's measurements.
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  friend Verification verify(const Problem& problem, Plan plan, const JudgeOptions& options);
  friend class ScheduleBuilder;

  Schedule(Problem problem, Plan plan, const Figures& figures)
      : problem_(std::move(problem)), plan_(std::move(plan)), figures_(figures) {}

  Problem problem_;
  Plan plan_;
  Figures figures_;
};

}  // namespace quadrille
