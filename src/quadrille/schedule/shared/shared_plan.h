// Shared plan: a plan file that one process of a crew has read, for all of them.
//
//     const SharedPlan plan(crew, [&] { return read_plan_file(path); });
//     Judge judge(plan.head().problem, {.crew = &crew});
//     plan.replay(judge);                                  // the steps come to all as process 0 hands them out
//
// To read a file takes longer than to judge it, and a stored plan more memory than a share of the judge's: both are process
// 0's alone. All of this is collective, as everything of a crew is.
#pragma once

#include <functional>
#include <optional>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class Crew;

class SharedPlan {
 public:
  /// `read` is called by process 0; its InputError is everybody's. `files`: whether the others may open a graph file, too,
  /// that the plan names.
  SharedPlan(Crew& crew, const std::function<PlanFile()>& read, GraphFiles files = GraphFiles::kRefused);

  [[nodiscard]] const PlanHead& head() const { return *head_; }
  /// Pushes all steps into the sink of each process.
  void replay(StepSink& sink) const;

 private:
  Crew& crew_;
  std::optional<PlanHead> head_;
  Plan plan_;  // of process 0
};

}  // namespace quadrille
