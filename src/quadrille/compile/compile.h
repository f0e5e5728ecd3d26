// compile(): a problem goes in, a judged schedule comes out, with its lower bounds, its figures, and why it
// is this one. The one way in: the command line, quadrille-mpi and programs in C++ all come through here.
//
//     const Problem problem = make_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall);
//     const Compiled made = compile(problem);
//     made.head.algorithm             // "alltoall_product_rounds"
//     made.reason                     // "predicts 8 steps, the fewest of 10 that apply; next: ..."
//     made.verdict.figures.steps      // 8, as the judge counted
//     made.least_steps().value        // 8, proved: no plan has fewer
//     run_on_threads(*made.schedule, {.block_bytes = 65536});
//
// A plan too large to be stored streams: {.stored = false} judges every step as it is made and forgets it,
// and memory does not grow with the number of steps. Whoever wants the steps as they come names a sink.
//
// A stranger's plan goes through judge_plan() and comes out the same, with what it states of itself checked.
// It may be bad: then there are findings, and no schedule.
//
// In two strokes, where something is to be known or prepared before the first step is made:
//
//     const Decision decision = decide(problem, wishes);     // which algorithm, and why; the bounds
//     const Compiled made = compile(decision, wishes);
//
// Whatever was made for the choice is kept for the plan: nothing is made or judged twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/progress.h"
#include "quadrille/compile/runner_up.h"
#include "quadrille/compile/stated_check.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

class Crew;
class SharedPlan;
struct Choice;
struct LaidOutPlan;

/// The size of a message where nobody names another.
inline constexpr uint64_t kDefaultMessageBytes = 1024;
/// On so many nodes a plan is judged whole, in a moment, and the programs of its ranks are small.
inline constexpr uint32_t kNodesJudgedWhole = 128;

/// What is wanted besides a good plan. Every field has the value that most want.
struct Wishes {
  /// A name of `quadrille list algorithms`, NAME:MEMBER of a family, or "auto": the fewest predicted steps;
  /// in a total exchange of worms the least time by the model's constants.
  std::string algorithm = "auto";
  /// What MPI's count argument means: a block in alltoall, allgather, gather, scatter and reduce_scatter, the vector in
  /// broadcast, reduce and allreduce, in however many pieces it is sent. Empty: nobody said; times are for
  /// kDefaultMessageBytes, and "auto" goes by steps.
  std::optional<uint64_t> bytes{};
  /// --pieces auto: in how many pieces it is sent is the planner's to choose, and the problem that is given has one.
  bool any_pieces = false;
  /// Whether many packets may go over a link in a step is the planner's to choose, too, of a problem of single packets:
  /// they may where that takes less time. Needs `bytes`.
  bool any_packets = false;

  /// On more than kNodesJudgedWhole nodes, of plans that are equally good one that is the same at all nodes (as_good_at_all_nodes() in
  /// choice.h): it is judged at one, and one rank's program is everybody's.
  bool same_at_all_nodes = false;

  double gap = 0;     ///< searches end within this part of the best bound: 0.03 for 3 %
  double effort = 1;  ///< how much work searches may take, times what they take by themselves

  bool stored = true;  ///< keep the steps: Compiled::schedule; else they stream by
  bool by_first_alone =
      false;  ///< of processes that share the plan of a file, where nothing else asks for all steps
  StepSink* steps_to =
      nullptr;  ///< gets the steps, too, as the judge takes them: before it is known whether all are good

  bool queues = false;  ///< measure queues (Verdict::queues)
  bool arrays = false;  ///< lay out arrays, and count what is rearranged; keeps the steps on the way
  /// Where it costs time, on at most 128 nodes, Compiled::rearranged_before is filled in: what a step takes is known then.
  bool rearranged_by_step = false;
  bool synchronisation = true;  ///< check how a stranger's plan says that its steps are kept apart
  size_t max_findings = 20;     ///< how many are kept; the others are counted

  Progress* progress = nullptr;  ///< is told how far the work is
  Crew* crew = nullptr;          ///< processes with which a large plan is judged (JudgeOptions::crew)

  /// The size that is wished for, or the one where nobody names another.
  [[nodiscard]] uint64_t message_bytes() const { return bytes.value_or(kDefaultMessageBytes); }
};

/// Which algorithm, and why: all that is known before a step is made.
struct Decision {
  PlanHead head;       ///< problem, algorithm, figures and bounds, as they stand above the steps of a file
  std::string reason;  ///< the prediction, how many algorithms apply, the runner-up; or "asked for"
  std::optional<RunnerUp> runner_up{};   ///< where several algorithms were asked
  std::vector<Bound> bounds{};           ///< all that say something about the problem
  std::optional<uint64_t> rearranged{};  ///< blocks moved in memory by the busiest node, where that is known

  std::shared_ptr<const Choice> choice{};     ///< how compile() makes the plan
  std::shared_ptr<const LaidOutPlan> made{};  ///< the plan, if it had to be made for the choice
  /// Hops of the longest way of each step, added up, where that is known.
  std::optional<uint64_t> critical_hops{};
  std::optional<uint64_t> further_messages{};  ///< of one node in each step, beyond its first, added up
  /// What no plan takes less than that sends many packets over a link in a step, where these were looked at, too, and single ones
  /// chosen (Wishes::any_packets).
  std::optional<TimeBound> least_of_many{};
};

/// A plan, whoever made it, and what became of it before the judge.
struct Compiled {
  PlanHead head;       ///< problem, maker, figures and bounds; of a stranger's plan what its file states
  std::string reason;  ///< why this algorithm; empty for a stranger's plan
  std::optional<RunnerUp> runner_up{};
  std::vector<Bound> bounds{};  ///< all of the problem; none for a plan that was rejected

  Verdict verdict;                      ///< findings, or the figures that the judge counted
  std::optional<Schedule> schedule{};   ///< if it passed, unless it streamed by
  std::optional<ArrayLayout> arrays{};  ///< if wished for
  /// Blocks moved in memory by the busiest node; where they cost time, on at most 128 nodes, always.
  std::optional<uint64_t> rearranged{};
  std::optional<std::vector<RearrangedBefore>> rearranged_before{};  ///< and when; if wished for
  std::optional<PlanTime>
      time{};  ///< if it passed, where the constants price more than start-ups, or are in microseconds

  /// Of a stranger's plan that passed: what of its statements is false, and how it says that its steps are
  /// kept apart.
  StatedCheck stated{};
  std::optional<SynchronisationCheck> synchronised{};

  /// It passed, and nothing that it states is known to be false.
  [[nodiscard]] bool good() const;
  /// The best lower bound on the steps, of a plan that passed.
  [[nodiscard]] Bound least_steps() const { return best_of(bounds); }
  /// No plan takes fewer steps.
  [[nodiscard]] bool optimal() const;
};

/// Throws InputError for an algorithm that is unknown or does not apply, and where none applies: with what
/// there is, or every condition that fails. Options of the command line give their names to the wishes in
/// messages.
[[nodiscard]] Decision decide(const Problem& problem, const Wishes& wishes = {});
/// What the judge counts of its plan, where that is made in a moment (2^20 deliveries); nothing of one that does not pass.
[[nodiscard]] std::optional<Figures> judged_figures(const Decision& decision);

/// Whether compile() will judge the plan at one node for all (verify/symmetric/symmetric_judge.h): it is the same at all nodes of more
/// than 128, and nobody wishes for more of it than the short form of its steps says. Then its blocks need no numbers.
[[nodiscard]] bool is_judged_at_one_node(const Decision& decision, const Wishes& wishes = {});

/// Makes the plan and has it judged. A plan of the house that the judge rejects is an InternalError. Throws
/// InputError where arrays are wished for and there is no layout.
[[nodiscard]] Compiled compile(const Problem& problem, const Wishes& wishes = {});
/// The same for a decision: of the wishes, the algorithm and the size of a block are decided already.
[[nodiscard]] Compiled compile(const Decision& decision, const Wishes& wishes = {});

/// Judges a plan that anybody may have made, and what it says of itself. Bounds are computed for a plan that
/// passes.
[[nodiscard]] Compiled judge_plan(PlanFile file, const Wishes& wishes = {});
/// The same of a plan that one process of a crew has read (`wishes.crew`); nobody stores it where nothing asks for all steps, and
/// the first process alone where `wishes.by_first_alone` says so: the others have no schedule then.
[[nodiscard]] Compiled judge_plan(SharedPlan& plan, const Wishes& wishes);

}  // namespace quadrille
