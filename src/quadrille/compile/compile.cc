#include "quadrille/compile/compile.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/crew/crew.h"
#include "quadrille/base/crew/packing.h"
#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/progress.h"
#include "quadrille/compile/step_watcher.h"
#include "quadrille/schedule/shared/shared_plan.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/symmetric/mended_judge.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

JudgeOptions judge_options(const Wishes& wishes, StepWatcher& watcher) {
  return {
      .max_findings = wishes.max_findings, .queues = wishes.queues, .watcher = &watcher, .crew = wishes.crew};
}

void take(Verification verification, Compiled& out) {
  out.verdict = std::move(verification.verdict);
  out.schedule = std::move(verification.schedule);
}

bool counts_rearranged(const Problem& problem) {
  return rearranging_costs(problem) && problem.topology().num_nodes() <= kMostNodesOfArrays;
}

// Whether what is rearranged is looked at step by step.
bool looks_at_steps(const Problem& problem, const Wishes& wishes) {
  return wishes.rearranged_by_step && counts_rearranged(problem);
}

// A plan that the choice has made already: its steps go where the others would go.
void use(const LaidOutPlan& made, const Wishes& wishes, Compiled& out) {
  if (wishes.steps_to != nullptr) made.schedule.plan().replay(*wishes.steps_to);
  out.verdict = made.verdict;
  if (wishes.queues && !out.verdict.queues) out.verdict.queues = measure_queues(made.schedule);
  if (wishes.stored || wishes.arrays || looks_at_steps(made.schedule.problem(), wishes))
    out.schedule = made.schedule;
  if (wishes.arrays) out.arrays = made.arrays;
}

// For plans that stream by: those that are mended come in the short form where that is judged.
class JudgeInEitherForm final : public StepSink {
 public:
  JudgeInEitherForm(const Problem& problem, const JudgeOptions& options)
      : problem_(problem), options_(options) {}

  void push(const StepView& step) override { of_all().push(step); }
  [[nodiscard]] MendedSink* mended() override {
    if (options_.queues || MendedJudge::why_not(problem_)) return nullptr;
    if (options_.watcher != nullptr && options_.watcher->mended() == nullptr) return nullptr;
    if (!mended_) mended_.emplace(problem_, options_);
    return mended_->mended();
  }
  [[nodiscard]] Verdict finish() {
    return !of_all_ && mended_ && mended_->has_begun() ? mended_->finish() : of_all().finish();
  }

 private:
  // Whose memory is that of all blocks: made where it is needed.
  Judge& of_all() {
    if (!of_all_) of_all_.emplace(problem_, options_);
    return *of_all_;
  }

  const Problem& problem_;
  JudgeOptions options_;
  std::optional<MendedJudge> mended_{};
  std::optional<Judge> of_all_{};
};

void make(const Decision& decision, const Wishes& wishes, Compiled& out) {
  const Problem& problem = decision.head.problem;
  const WatchedWork watched(wishes.progress, "making the plan");
  StepWatcher watcher(problem, wishes.steps_to, wishes.progress, decision.head.stated_figures.steps);
  if (is_judged_at_one_node(decision, wishes)) {
    SymmetricJudge judge(problem, judge_options(wishes, watcher));
    decision.choice->generate(judge);
    out.verdict = judge.finish();
    return;
  }
  const bool measures = counts_rearranged(problem) && (!decision.rearranged || wishes.rearranged_by_step);
  if (wishes.stored || wishes.arrays || measures) {
    ScheduleBuilder builder(problem, judge_options(wishes, watcher));
    decision.choice->generate(builder);
    take(builder.finish(), out);
    return;
  }
  JudgeInEitherForm judge(problem, judge_options(wishes, watcher));
  decision.choice->generate(judge);
  out.verdict = judge.finish();
}

std::string findings_of(const Verdict& verdict) {
  std::string out;
  for (const Finding& finding : verdict.findings) out += "\n" + to_text(finding);
  return out;
}

// What follows from figures and bounds, whoever made the plan.
void add_what_follows(const Wishes& wishes, Compiled& out) {
  const Problem& problem = out.head.problem;
  if (wishes.arrays && !out.arrays && out.schedule) {
    const WatchedWork watched(wishes.progress, "laying out arrays");
    out.arrays = checked_arrays(*out.schedule);
  }
  if (out.arrays) out.rearranged = out.arrays->rearranged();
  if (out.schedule && counts_rearranged(problem) && (!out.rearranged || wishes.rearranged_by_step)) {
    const WatchedWork watched(wishes.progress, "laying out arrays");
    std::vector<RearrangedBefore> before =
        out.arrays ? out.arrays->rearranged_before() : rearranged_before(*out.schedule);
    out.rearranged = total(before);
    if (wishes.rearranged_by_step) out.rearranged_before = std::move(before);
  }
  if (!wishes.stored) out.schedule.reset();
  const CostConstants& cost = problem.model().cost;
  if (cost.tx == 0 && cost.tl == 0 && cost.rho == 0 && cost.to == 0 && !cost.in_microseconds) return;
  out.time = time_of(problem, out.verdict.figures, out.bounds, out.rearranged, wishes.message_bytes());
}

}  // namespace

bool is_judged_at_one_node(const Decision& decision, const Wishes& wishes) {
  const Problem& problem = decision.head.problem;
  const bool wants_all = wishes.stored || wishes.arrays || wishes.queues || looks_at_steps(problem, wishes) ||
                         (wishes.steps_to != nullptr && wishes.steps_to->symmetric() == nullptr);
  if (wants_all || decision.made || problem.topology().num_nodes() <= kNodesJudgedWhole ||
      !is_same_at_all_nodes(*decision.choice) || SymmetricJudge::why_not(problem))
    return false;
  // All moves of a node are held in memory before they are put in order.
  constexpr uint64_t kMostMoves = uint64_t{1} << 25U;
  const uint64_t links = problem.topology().cayley()->generators.size();
  const std::optional<uint64_t>& busiest = decision.head.stated_figures.busiest_link;
  return busiest && *busiest <= kMostMoves / links;
}

std::optional<Figures> judged_figures(const Decision& decision) {
  constexpr uint64_t kMostJudged = uint64_t{1} << 20U;  // deliveries
  const Problem& problem = decision.head.problem;
  const Collective& collective = problem.collective();
  const uint64_t each = collective.flow() == Flow::kMove ? 1 : collective.num_ranks();
  if (collective.block_count() * each > kMostJudged) return std::nullopt;
  Judge judge(problem, {.threads = 2});
  decision.choice->generate(judge);
  const Verdict verdict = judge.finish();
  if (!verdict.passed()) return std::nullopt;
  return verdict.figures;
}

bool Compiled::good() const {
  return verdict.passed() && stated.falsehoods.empty() && (!synchronised || synchronised->passed());
}

bool Compiled::optimal() const {
  return verdict.passed() && Int128{verdict.figures.steps} == least_steps().value.ceil();
}

Compiled compile(const Decision& decision, const Wishes& wishes) {
  Compiled out{.head = decision.head,
               .reason = decision.reason,
               .runner_up = decision.runner_up,
               .bounds = decision.bounds,
               .verdict = {},
               .rearranged = decision.rearranged};
  if (decision.made) {
    use(*decision.made, wishes, out);
  } else {
    make(decision, wishes, out);
  }
  QUADRILLE_CHECK(out.verdict.passed(),
                  fmt::format("the judge rejects the plan that {} made for {}{}", decision.head.algorithm,
                              decision.head.problem.title(), findings_of(out.verdict)));
  add_what_follows(wishes, out);
  if (out.time) out.time->of_many_packets = decision.least_of_many;
  return out;
}

Compiled compile(const Problem& problem, const Wishes& wishes) {
  return compile(decide(problem, wishes), wishes);
}

namespace {

// Witnesses take a while to check, so of processes that have the same plan one does, and tells the others.
StatedCheck stated_of(const Wishes& wishes, const Compiled& made) {
  const auto check = [&] { return check_stated(made.head, made.verdict.figures, made.bounds); };
  if (wishes.crew == nullptr) return check();
  const std::string mine = wishes.crew->me() == 0 ? packed(check()) : std::string();
  return unpacked<StatedCheck>(wishes.crew->from_first(mine));
}

// Of a stranger's plan once it is judged.
void check_what_is_stated(const Wishes& wishes, Compiled& out) {
  {
    const WatchedWork watched(wishes.progress, "computing bounds");
    out.bounds = all_bounds(out.head.problem);
  }
  out.stated = stated_of(wishes, out);
  if (out.schedule && wishes.synchronisation && out.head.synchronisation) {
    const WatchedWork watched(wishes.progress, "checking the synchronisation");
    out.synchronised = check_synchronisation(*out.schedule, *out.head.synchronisation, {wishes.max_findings});
  }
  add_what_follows(wishes, out);
}

}  // namespace

Compiled judge_plan(PlanFile file, const Wishes& wishes) {
  Compiled out{.head = static_cast<PlanHead&>(file), .reason = {}, .verdict = {}};
  {
    const WatchedWork watched(wishes.progress, "judging the plan");
    StepWatcher watcher(file.problem, wishes.steps_to, wishes.progress, file.plan.num_steps());
    take(verify(file.problem, std::move(file.plan), judge_options(wishes, watcher)), out);
  }
  if (out.verdict.passed()) check_what_is_stated(wishes, out);
  return out;
}

Compiled judge_plan(SharedPlan& plan, const Wishes& wishes) {
  while (true) {
    const PlanHead head = plan.head();
    const bool by_first = wishes.stored && wishes.by_first_alone && !counts_rearranged(head.problem);
    if ((wishes.stored && !by_first) || wishes.arrays || counts_rearranged(head.problem) ||
        (wishes.synchronisation && head.synchronisation)) {
      PlanFile file{{head}, {}};
      if (!plan.replay(file.plan)) continue;
      return judge_plan(std::move(file), wishes);
    }
    Compiled out{.head = head, .reason = {}, .verdict = {}};
    {
      const WatchedWork watched(wishes.progress, "judging the plan");
      StepWatcher watcher(head.problem, wishes.steps_to, wishes.progress, head.stated_figures.steps);
      if (by_first && wishes.crew->me() == 0) {
        ScheduleBuilder builder(head.problem, judge_options(wishes, watcher));
        if (!plan.replay(builder)) continue;
        take(builder.finish(), out);
      } else {
        Judge judge(head.problem, judge_options(wishes, watcher));
        if (!plan.replay(judge)) continue;
        out.verdict = judge.finish();
      }
    }
    if (out.verdict.passed()) check_what_is_stated(wishes, out);
    return out;
  }
}

}  // namespace quadrille
