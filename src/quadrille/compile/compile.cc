#include "quadrille/compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/base/check.h"
#include "quadrille/base/crew/crew.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/lending/by_time/large_by_time.h"
#include "quadrille/compile/lending/by_time/large_loans.h"
#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/handed_on.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/sizes/decision_time.h"
#include "quadrille/compile/step_watcher.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/schedule/shared/shared_plan.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/symmetric/mended_judge.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

// Throws InputError for a name that has a formula, but no plan.
void require_plans(std::string_view asked) {
  const std::string_view name = asked.substr(0, asked.find(':'));
  if (published_costs().find(name) == nullptr) return;
  throw InputError(fmt::format(
      "--algorithm: {} is a published cost, model only: there is no plan of it; `quadrille explain {} --on "
      "TOPOLOGY` says what it promises",
      name, name));
}

constexpr unsigned kPlanningThreads = 2;
// Plans of so many are judged whole, in a moment, and their ranks' programs are small.
constexpr uint32_t kFewNodes = 128;
// On a large network no search is begun that cannot save more than this part of the time.
constexpr double kHardlyFaster = 1.0 / 64;

uint64_t message_bytes(const Wishes& wishes) { return wishes.bytes.value_or(kDefaultMessageBytes); }

PlanHead head_of(const Problem& problem, const Choice& choice, const std::vector<Bound>& bounds) {
  const Prediction& prediction = choice.prediction;
  PlanHead head{problem,
                choice.name(),
                {prediction.steps, prediction.start_ups, prediction.busiest_link, prediction.critical_blocks},
                {}};
  // The one that the plan is held against comes with its witness, or another one that says as much has one: optimality
  // rests on it.
  const Bound best = best_of(bounds);
  const Bound* proved = nullptr;
  for (const Bound& bound : bounds) {
    if (bound.on != BoundOn::kSteps || !bound.evidence || bound.value.ceil() < best.value.ceil()) continue;
    if (proved == nullptr || bound.name == best.name) proved = &bound;
  }
  for (const Bound& bound : bounds) {
    if (bound.on != BoundOn::kSteps) continue;
    head.bounds.push_back({std::string(bound.name), bound.value});
    if (&bound == proved) head.bounds.back().witness = bound.evidence;
  }
  return head;
}

JudgeOptions judge_options(const Wishes& wishes, StepWatcher& watcher) {
  return {
      .max_findings = wishes.max_findings, .queues = wishes.queues, .watcher = &watcher, .crew = wishes.crew};
}

void take(Verification verification, Compiled& out) {
  out.verdict = std::move(verification.verdict);
  out.schedule = std::move(verification.schedule);
}

// Whether there is to be a layout if there can be one.
bool may_lay_out(const Problem& problem, const Wishes& wishes) {
  return wishes.arrays_where_they_cost && rearranging_costs(problem) &&
         problem.topology().num_nodes() <= kMostNodesOfArrays;
}

// A plan that the choice has made already: its steps go where the others would go.
void use(const LaidOutPlan& made, const Wishes& wishes, Compiled& out) {
  if (wishes.steps_to != nullptr) made.schedule.plan().replay(*wishes.steps_to);
  out.verdict = made.verdict;
  if (wishes.queues && !out.verdict.queues) out.verdict.queues = measure_queues(made.schedule);
  const bool may = may_lay_out(made.schedule.problem(), wishes);
  if (wishes.stored || wishes.arrays || may) out.schedule = made.schedule;
  if (wishes.arrays || may) out.arrays = made.arrays;
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
  if (wishes.stored || wishes.arrays || may_lay_out(problem, wishes)) {
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
  if (!out.arrays && out.schedule &&
      (wishes.arrays || (may_lay_out(problem, wishes) && !why_no_array_layout(*out.schedule)))) {
    const WatchedWork watched(wishes.progress, "laying out arrays");
    out.arrays = checked_arrays(*out.schedule);
  }
  if (out.arrays) out.rearranged = out.arrays->rearranged();
  if (!wishes.stored) out.schedule.reset();
  const CostConstants& cost = problem.model().cost;
  if (cost.tx == 0 && cost.tl == 0 && cost.rho == 0 && cost.to == 0 && !cost.in_microseconds) return;
  out.time = time_of(problem, out.verdict.figures, out.bounds, out.rearranged, message_bytes(wishes));
}

}  // namespace

bool is_judged_at_one_node(const Decision& decision, const Wishes& wishes) {
  const Problem& problem = decision.head.problem;
  const bool wants_all = wishes.stored || wishes.arrays || wishes.queues || may_lay_out(problem, wishes) ||
                         (wishes.steps_to != nullptr && wishes.steps_to->symmetric() == nullptr);
  if (wants_all || decision.made || problem.topology().num_nodes() <= kFewNodes ||
      !is_same_at_all_nodes(*decision.choice) || SymmetricJudge::why_not(problem))
    return false;
  // All moves of a node are held in memory before they are put in order.
  constexpr uint64_t kMostMoves = uint64_t{1} << 25U;
  const uint64_t links = problem.topology().cayley()->generators.size();
  const std::optional<uint64_t>& busiest = decision.head.stated_figures.busiest_link;
  return busiest && *busiest <= kMostMoves / links;
}

namespace {

Decision decision_for(const Problem& problem, const std::shared_ptr<const Choice>& choice,
                      std::vector<Bound> bounds, std::shared_ptr<const LaidOutPlan> made = nullptr) {
  PlanHead head = head_of(problem, *choice, bounds);
  return {.head = std::move(head),
          .reason = choice->reason,
          .runner_up = choice->runner_up,
          .bounds = std::move(bounds),
          .rearranged = choice->rearranged(),
          .choice = choice,
          .made = std::move(made),
          .critical_hops = choice->critical_hops(),
          .further_messages = choice->further_messages()};
}

Decision decide_as_it_is(const Problem& problem, const Wishes& wishes, bool asks_lenders = true);

// One block, in a plan that is judged in a moment.
bool is_soon_judged(const Problem& problem) {
  const Collective& collective = problem.collective();
  return collective.block_count() == 1 && problem.topology().num_nodes() <= 4096;
}

// What is found of those that take less time.
std::optional<Decision> faster_than(double time, const Problem& problem, const Wishes& wishes,
                                    bool asks_lenders) {
  const WorthMaking wanted(UINT64_MAX, false, less_time(problem, *wishes.bytes, time * (1 - kHardlyFaster)));
  try {
    Decision other = decide_as_it_is(problem, wishes, asks_lenders);
    const std::optional<double> taken = time_of_decision(other, *wishes.bytes);
    if (taken && *taken < time) return other;
  } catch (const InputError&) {
    // Nothing else serves.
  }
  return std::nullopt;
}

// Whether lenders are asked beside the cards, with one core, too, as the limits of such a look are others: a look that turns out to
// be in vain ends within a moment on such networks. An exchange of long worms has cards that come near the bound, and say so at once,
// and lenders that take seconds, longer than these as a rule: so they are asked first.
bool looks_ahead(const Problem& problem, uint64_t bytes) {
  constexpr uint32_t kMostNodes = 1024;
  const WorthMaking::LessTime costs = less_time(problem, bytes, kNever);
  const bool is_long_exchange = problem.collective().kind() == CollectiveKind::kAlltoall &&
                                takes_paths(problem.model()) && costs.of_round >= costs.of_start_up;
  return problem.topology().num_endpoints() <= kMostNodes && !is_long_exchange;
}

// What is chosen as the problem stands.
struct AsItIs {
  std::optional<Decision> decision{};  // none where it takes longer than is known
  std::optional<double> time{};        // of that one
  bool is_untimed = false;             // nothing is known of it, nor of anything else
};

// `tell` hears of every time that is found.
AsItIs choose_as_it_is(const Problem& problem, const Wishes& wishes, bool asks_lenders, double known,
                       bool has_others, const std::function<void(double)>& tell) {
  const bool is_large = wishes.algorithm == "auto" && is_large_for_sizes(problem);
  // What can hardly be faster is not searched for.
  std::optional<WorthMaking> wanted;
  if (is_large && known < kNever)
    wanted.emplace(UINT64_MAX, false, less_time(problem, *wishes.bytes, known * (1 - kHardlyFaster)));
  AsItIs out;
  try {
    Decision whole = decide_as_it_is(problem, wishes, asks_lenders);
    std::optional<double> time = time_of_decision(whole, *wishes.bytes);
    if (!time && (is_soon_judged(problem) || !has_others)) time = time_of_plan(whole, *wishes.bytes);
    // It was chosen by its steps, and something of more steps, and fewer rounds, may be faster: of worms once or twice, of packets
    // where nothing was known.
    int turns = wanted ? 0 : 1;
    if (takes_paths(problem.model())) turns = 2;
    for (; is_large && turns > 0 && time && *time < known; --turns) {
      tell(*time);
      std::optional<Decision> faster = faster_than(*time, problem, wishes, asks_lenders);
      if (!faster) break;
      time = time_of_decision(*faster, *wishes.bytes);
      whole = *std::move(faster);
    }
    if (time && *time <= known * (1 + 1e-9)) {
      tell(*time);
      out.decision = std::move(whole);
      out.time = time;
    }
    out.is_untimed = !out.time && !has_others;
  } catch (const InputError&) {
    // Some serve pieces alone.
  }
  return out;
}

// The algorithm, and the pieces where nobody says in how many, that take least time for the size that is wished for;
// nothing where that is not known of any. What is chosen as the problem stands is kept unless others are faster.
std::optional<Decision> decide_by_size(const Problem& problem, const Wishes& wishes) {
  const uint32_t given = problem.collective().pieces();
  std::optional<SizedChoice> best;
  const auto decided = [](std::optional<Choice>& choice) {
    auto chosen = std::make_shared<const Choice>(*std::move(choice));
    const Problem& split = chosen->plan->problem();
    return decision_for(split, chosen, all_bounds(split));
  };
  const bool measures = rearranging_costs(problem) || hops_cost(problem) || messages_cost(problem);
  if (wishes.any_pieces && given == 1 &&
      ((wishes.algorithm == "auto" && is_chosen_by_time(problem)) ||
       (names_loan(wishes.algorithm) && !measures))) {
    const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
    std::optional<Choice> choice;
    if (wishes.algorithm == "auto") {
      const double least = least_time(problem, *wishes.bytes, all_bounds(problem)).time;
      choice = choose_by_time(problem, *wishes.bytes, least, kPlanningThreads);
    } else {
      choice = pick_loan_by_time(problem, wishes.algorithm, *wishes.bytes);
    }
    if (choice) return decided(choice);
  }
  {
    const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
    best = choose_by_size(given == 1 ? problem : in_pieces(problem, 1), wishes.algorithm, *wishes.bytes,
                          kPlanningThreads, wishes.any_pieces ? std::nullopt : std::optional(given));
  }
  double known = best ? best->plan.time(problem.model().cost, *wishes.bytes) : kNever;
  std::optional<Choice> lent;
  const auto take = [&](std::optional<Choice> choice) {
    if (!choice) return;
    known = time_for(*choice, *wishes.bytes);
    lent = std::move(choice);
  };
  const bool is_large = wishes.algorithm == "auto" && is_large_for_sizes(problem);
  const bool asks_lenders =
      is_large && wishes.any_pieces && given == 1 && is_chosen_by_time_at_large(problem);
  bool may_be_faster = true;
  if (is_large) {
    const WatchedWork watched(wishes.progress, "choosing an algorithm");
    take(packets_by_time(problem, *wishes.bytes, known));
    may_be_faster = least_time_as_it_is(problem, *wishes.bytes) * (1 + kHardlyFaster) < known;
  }
  if (!best && !lent && !asks_lenders) return std::nullopt;
  AsItIs whole;
  const auto choose_whole = [&](const std::function<void(double)>& tell) {
    if (may_be_faster) whole = choose_as_it_is(problem, wishes, !asks_lenders, known, best || lent, tell);
  };
  const auto tell_nobody = [](double /*time*/) {};
  std::optional<Choice> faster;
  if (asks_lenders) {
    const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
    LargeByTime search(problem, kPlanningThreads);
    if (may_be_faster && looks_ahead(problem, *wishes.bytes)) {
      const auto and_tell = [&] { choose_whole([&](double time) { search.is_known(time); }); };
      both_at_once(and_tell, [&, by = HandedOn()] {
        const TakenOver here(by);
        search.look_ahead(*wishes.bytes, known);
      });
    } else {
      choose_whole(tell_nobody);
    }
    if (!whole.is_untimed) faster = search.best_for(*wishes.bytes, whole.time.value_or(known));
  } else {
    choose_whole(tell_nobody);
  }
  if (whole.is_untimed) return std::nullopt;
  if (faster) return decided(faster);
  if (whole.decision || (!best && !lent)) return std::move(whole.decision);
  if (lent) return decided(lent);
  Wishes chosen = wishes;
  chosen.algorithm = best->plan.algorithm;
  Decision out =
      decide_as_it_is(best->plan.pieces == given ? problem : in_pieces(problem, best->plan.pieces), chosen);
  out.reason = best->reason;
  out.runner_up = best->next;
  return out;
}

}  // namespace

std::optional<Figures> judged_figures(const Decision& decision) {
  constexpr uint64_t kMostJudged = uint64_t{1} << 20U;  // deliveries
  const Problem& problem = decision.head.problem;
  const Collective& collective = problem.collective();
  const uint64_t each = collective.flow() == Flow::kMove ? 1 : collective.num_ranks();
  if (collective.block_count() * each > kMostJudged) return std::nullopt;
  Judge judge(problem, {.threads = kPlanningThreads});
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

namespace {

// On a large network, where large blocks are exchanged: what single packets take, if many can hardly be faster.
std::optional<Decision> single_is_enough(const Problem& problem, const Problem& of_many,
                                         const Wishes& wishes) {
  if (wishes.algorithm != "auto" || !is_large_for_sizes(problem) ||
      problem.collective().flow() != Flow::kMove)
    return std::nullopt;
  const double enough = least_time(of_many, *wishes.bytes, all_bounds(of_many)).time * (1 + kHardlyFaster);
  if (least_time_as_it_is(problem, *wishes.bytes) > enough) return std::nullopt;
  Decision single = decide_as_it_is(problem, wishes);
  const std::optional<double> time = time_of_plan(single, *wishes.bytes);
  return time && *time <= enough ? std::optional(std::move(single)) : std::nullopt;
}

// A plan for single packets is one for many, too. So the best for many is looked for; where no step of it carries more
// than one packet over a link, it is said to be what it is.
std::optional<Decision> decide_packets(const Problem& problem, Wishes wishes) {
  wishes.any_packets = false;
  wishes.same_at_all_nodes = false;  // decide() sees to that
  const Problem of_many = with_many_packets(problem);
  if (std::optional<Decision> single = single_is_enough(problem, of_many, wishes)) return single;
  std::optional<Decision> many = decide_by_size(of_many, wishes);
  if (!many) return std::nullopt;
  const StatedFigures& figures = many->head.stated_figures;
  const std::optional<double> time = time_of_decision(*many, *wishes.bytes);
  // On a large network not all that single packets have was asked.
  if (time && wishes.algorithm == "auto" && is_large_for_sizes(problem) &&
      *time > least_time_as_it_is(problem, *wishes.bytes) * (1 + kHardlyFaster)) {
    Decision single = decide_as_it_is(problem, wishes);
    const std::optional<double> same = time_of_plan(single, *wishes.bytes);
    if (same && *same < *time * (1 - 1e-9)) return single;
  }
  if (!time || figures.start_ups.value_or(figures.steps.value_or(0)) != figures.critical_blocks) return many;
  const auto as_fast = [&](const Decision& single) {
    const std::optional<double> same = time_of_decision(single, *wishes.bytes);
    return same && *same <= *time * (1 + 1e-9);
  };
  try {
    Wishes chosen = wishes;
    chosen.any_pieces = false;
    chosen.algorithm = many->head.algorithm;
    if (constexpr std::string_view kLent = "packet("; chosen.algorithm.starts_with(kLent))
      chosen.algorithm = chosen.algorithm.substr(kLent.size(), chosen.algorithm.size() - kLent.size() - 1);
    const uint32_t pieces = many->head.problem.collective().pieces();
    Decision single =
        decide(pieces == problem.collective().pieces() ? problem : in_pieces(problem, pieces), chosen);
    single.reason = many->reason;
    single.runner_up = many->runner_up;
    if (as_fast(single)) return single;
  } catch (const InputError&) {
    // It is for many packets alone; another may be as fast.
  }
  std::optional<Decision> single = decide_by_size(problem, wishes);
  return single && as_fast(*single) ? single : many;
}

}  // namespace

namespace {

// Of a network in outline only closed forms are asked, each in a moment: pieces are doubled as long as time falls.
Decision decide_in_outline(const Problem& problem, const Wishes& wishes) {
  constexpr uint32_t kMostDoubled = 1U << 24U;
  Decision best = decide_as_it_is(problem, wishes);
  if (!wishes.bytes || !wishes.any_pieces || problem.collective().pieces() != 1) return best;
  std::optional<double> least = time_of_decision(best, *wishes.bytes);
  for (uint32_t pieces = 2; least && pieces <= std::min<uint64_t>(*wishes.bytes, kMostDoubled); pieces *= 2) {
    try {
      Decision split = decide_as_it_is(in_pieces(problem, pieces), wishes);
      const std::optional<double> time = time_of_decision(split, *wishes.bytes);
      if (!time || *time >= *least) break;
      least = time;
      best = std::move(split);
    } catch (const InputError&) {
      break;  // more blocks than can be numbered, or no closed form for pieces
    }
  }
  return best;
}

}  // namespace

namespace {

Decision decide_for_any(const Problem& problem, const Wishes& wishes) {
  if (problem.topology().is_outline()) return decide_in_outline(problem, wishes);
  if (wishes.any_packets && wishes.bytes && sends_single_packets(problem.model())) {
    if (std::optional<Decision> sized = decide_packets(problem, wishes)) {
      if (sends_single_packets(sized->head.problem.model())) {
        const Problem many = with_many_packets(problem);
        sized->least_of_many = least_time(many, *wishes.bytes, all_bounds(many));
      }
      return *std::move(sized);
    }
  }
  if (wishes.bytes && (wishes.any_pieces || wishes.algorithm == "auto")) {
    if (std::optional<Decision> sized = decide_by_size(problem, wishes)) return *std::move(sized);
  }
  return decide_as_it_is(problem, wishes);
}

}  // namespace

namespace {

// Of blocks that are only counted closed forms alone speak. Whether one does is known in a moment; the bounds of a network of
// a hundred thousand nodes are not.
void require_closed_form(const Problem& problem) {
  if (problem.collective().is_numbered()) return;
  const auto speaks = [&](const Algorithm* card) {
    return card->collective == problem.collective().kind() && card->counts_alone &&
           card->applies(problem).applies;
  };
  const Catalog<Algorithm>& cards = algorithm_catalog();
  if (std::any_of(cards.begin(), cards.end(), speaks)) return;
  const std::optional<std::string> why = not_judged_here(problem);
  throw InputError(why.value_or(problem.title() + ": its blocks are only counted") +
                   "; and no closed form knows such a network");
}

}  // namespace

namespace {

// A plan that is kept has a witness that takes a search, too, where its bound has no other.
void add_searched_witness(PlanHead& head, const std::vector<Bound>& bounds) {
  if (std::ranges::any_of(head.bounds, [](const PlanBound& bound) { return bound.witness.has_value(); }))
    return;
  const int64_t least = best_of(bounds).value.ceil();
  for (PlanBound& bound : head.bounds) {
    if (bound.name == kRefutationBound && bound.value.ceil() == least)
      bound.witness = refutation_in_a_moment(head.problem);
  }
}

}  // namespace

Decision decide(const Problem& problem, const Wishes& wishes) {
  require_plans(wishes.algorithm);
  if (wishes.algorithm == "auto") require_closed_form(problem);
  const SearchLimits limits({.gap = wishes.gap, .effort = wishes.effort});
  const KeptBounds kept_bounds;
  const KeptPaths kept_paths;
  Decision out = decide_for_any(problem, wishes);
  if (wishes.stored) add_searched_witness(out.head, out.bounds);
  const Problem& decided = out.head.problem;
  if (!wishes.same_at_all_nodes || decided.topology().num_nodes() <= kFewNodes) return out;
  std::optional<Choice> other = as_good_at_all_nodes(decided, *out.choice);
  if (!other) return out;
  other->runner_up = out.runner_up;
  Decision same = decision_for(decided, std::make_shared<const Choice>(*std::move(other)), out.bounds);
  same.least_of_many = std::move(out.least_of_many);
  return same;
}

namespace {

SearchWishes search_wishes(const Problem& problem, const Wishes& wishes, uint64_t least) {
  SearchWishes out{
      .gap = wishes.gap, .effort = wishes.effort, .of = name_for_searches(problem), .least = least};
  if (wishes.progress != nullptr)
    out.found = [progress = wishes.progress, least](uint64_t steps) { progress->found(steps, least); };
  return out;
}

Decision decide_as_it_is(const Problem& problem, const Wishes& wishes, bool asks_lenders) {
  const WatchedWork watched(wishes.progress, "choosing an algorithm");
  const SharedFactorExchanges shared;
  const SharedWorms worms;
  std::vector<Bound> bounds = all_bounds(problem);
  const auto least = static_cast<uint64_t>(best_of(bounds).value.ceil());
  const SearchLimits limits(search_wishes(problem, wishes, least));
  ArrayMeter meter(problem, wishes.queues);
  Goal goal(chunk_bytes(problem, message_bytes(wishes)), wishes.bytes.has_value());
  goal.asks_lenders = asks_lenders;
  auto choice = std::make_shared<const Choice>(
      pick_algorithm(problem, wishes.algorithm, goal, good_enough_steps(problem, least),
                     [&meter](const Choice& candidate) { return meter(candidate); }));
  std::shared_ptr<const LaidOutPlan> made = meter.made(*choice);
  return decision_for(problem, choice, std::move(bounds), std::move(made));
}

}  // namespace

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
    const bool by_first = wishes.stored && wishes.by_first_alone && !may_lay_out(head.problem, wishes);
    if ((wishes.stored && !by_first) || wishes.arrays || (wishes.synchronisation && head.synchronisation)) {
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
