// Shared plan: a plan file that one process of a crew reads, for all of them.
//
//     SharedPlan plan(crew, [&](PlanListener* listener) { return read(path, listener); });
//     do {
//       Judge judge(plan.head().problem, {.crew = &crew});
//     } while (!plan.replay(judge));                         // the steps come to all as process 0 reads them
//
// To read a file takes longer than to judge it, and a stored plan more memory than a share of the judge's: so process 0 alone reads,
// and hands on what it has read without storing it. All of this is collective, as everything of a crew is.
#pragma once

#include <memory>
#include <optional>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/shared/plan_stream.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class Crew;

class SharedPlan {
 public:
  /// `read` is called by process 0, in a thread of its own where it is given a listener, and lives as long as this; its InputError is
  /// everybody's, here or in replay(). `files`: whether the others may open a graph file, too, that the plan names.
  SharedPlan(Crew& crew, ReadPlanSteps read, GraphFiles files = GraphFiles::kRefused);

  [[nodiscard]] const PlanHead& head() const { return *head_; }
  /// Pushes all steps into the sink of each process, once. False: behind the steps the file said more of its head. Then head() is
  /// another one now, what was made of steps is worth nothing, and they come again.
  [[nodiscard]] bool replay(StepSink& sink);

 private:
  void share_head();

  Crew& crew_;
  ReadPlanSteps read_;
  GraphFiles files_;
  std::optional<PlanHead> head_;
  // Of process 0, one of them.
  std::unique_ptr<PlanStream> stream_;
  Plan plan_;
};

}  // namespace quadrille
