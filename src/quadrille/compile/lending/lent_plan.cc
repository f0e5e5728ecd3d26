#include "quadrille/compile/lending/lent_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/handed_on.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/plan_rounds.h"
#include "quadrille/transforms/compact_steps.h"

namespace quadrille {
namespace {

// Deliveries of blocks: what they take grows with the way of each.
constexpr uint64_t kMostDeliveries = uint64_t{1} << 17U;
// Of what two lend together, which takes less than both, as only the plan tells.
constexpr uint64_t kMostMeasured = uint64_t{1} << 24U;
// Of steps that are made one.
constexpr uint64_t kMostMerged = uint64_t{1} << 18U;
// Of a plan that is only read backwards: it is stored.
constexpr uint64_t kMostStored = uint64_t{1} << 26U;

uint64_t deliveries(const Problem& problem) {
  const Collective& collective = problem.collective();
  const bool one_each = collective.flow() == Flow::kMove;
  return collective.block_count() * (one_each ? 1 : collective.num_ranks());
}

struct Made {
  std::optional<Plan> plan{};
  Prediction prediction{};
};

// What the plan takes; where paths share arcs, an arc's blocks are added up.
Prediction measured(const Problem& problem, const Plan& plan) {
  MeasuredPlan measure(0);
  plan.replay(measure);
  Prediction out = measure.prediction();
  if (!shares_arcs(problem.model())) return out;
  out.critical_blocks = rounds_of(problem.topology(), plan);
  return out;
}

double time_of(const Problem& problem, const Prediction& prediction, uint64_t block_bytes) {
  return quadrille::time_of(problem.model().cost,
                            {.start_ups = prediction.start_ups.value_or(0),
                             .critical_blocks = prediction.critical_blocks.value_or(0),
                             .critical_hops = prediction.critical_hops.value_or(0)},
                            block_bytes);
}

// With its steps compacted, unless what is small is time and that takes more: where further messages cost, steps that send one each are
// often better by themselves.
void compact(const Problem& problem, const Goal& goal, Made& made) {
  if (goal.by_time || asks_for_order(problem)) made.prediction = measured(problem, *made.plan);
  if (goal.by_time && problem.model().cost.to > 0) return;
  Plan compacted = compact_steps(problem, *made.plan);
  if (asks_for_order(problem) && !keeps_order(problem, compacted)) return;
  const Prediction now = measured(problem, compacted);
  if (goal.by_time &&
      time_of(problem, now, goal.block_bytes) > time_of(problem, made.prediction, goal.block_bytes))
    return;
  made.plan = std::move(compacted);
  made.prediction = now;
}

// Two large ones at once, unless what their cards make depends on what the calling thread thinks worth making.
std::vector<Plan> plans_of(const Problem& problem, const std::vector<Choice>& lenders) {
  std::vector<Plan> plans(lenders.size());
  const auto make = [&](size_t i) { lenders[i].plan->generate(plans[i]); };
  if (lenders.size() != 2 || is_settled_quickly(problem) || WorthMaking::is_limited()) {
    for (size_t i = 0; i < lenders.size(); ++i) make(i);
    return plans;
  }
  both_at_once([&] { make(0); },
               [&, by = HandedOn()] {
                 const TakenOver here(by);
                 make(1);
               });
  return plans;
}

void push_streamed(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders,
                   StepSink& sink) {
  loan.stream(
      problem, [&](size_t i, StepSink& to) { lenders[i].plan->generate(to); }, sink);
}

// `measures`: or its figures are known.
Made make_settled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders,
                  const Goal& goal, bool measures) {
  Made out;
  if (loan.kind == LoanKind::kSum && !is_settled_quickly(problem)) {
    push_streamed(problem, loan, lenders, out.plan.emplace());
  } else {
    out.plan = loan.make(problem, plans_of(problem, lenders));
  }
  if (!out.plan) return out;
  if (is_settled_quickly(problem)) {
    compact(problem, goal, out);
  } else if (measures) {
    out.prediction = measured(problem, *out.plan);
  }
  if (asks_for_order(problem) && !keeps_order(problem, *out.plan)) return {};
  return out;
}

// Where blocks are copied, what the first has brought is left out of the second.
bool is_told_by_plan(const Problem& problem, const Loan& loan) {
  return loan.kind == LoanKind::kSum && problem.collective().flow() == Flow::kCopy;
}

// Steps made one; of as many hosts as flooding serves in a moment.
bool is_soon_merged(const Problem& problem, const Loan& loan) {
  return loan.kind == LoanKind::kMerged && deliveries(problem) <= kMostMerged;
}

// Of worms few steps may be worth that it is found out who has which block for whom, unless it is time that counts: then, and of
// packets, blocks are on the way too often.
bool is_worth_following(const Problem& problem, const Loan& loan, const Goal& goal) {
  return loan.kind == LoanKind::kPersonalised && takes_paths(problem.model()) && !goal.by_time;
}

// What follows without a look at the plan.
Prediction following(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders) {
  Prediction out;
  switch (loan.kind) {
    case LoanKind::kWeaker: {
      out = lenders.front().prediction;
      const Model& model = loan.lenders.front().model();
      if (sends_single_packets(model)) {
        if (!out.start_ups) out.start_ups = out.steps;
        out.critical_blocks = out.start_ups;
        out.critical_hops = out.start_ups;
      }
      return out;
    }
    case LoanKind::kSame:
    case LoanKind::kOneWay:
    case LoanKind::kCompacted:
    case LoanKind::kNamed:
    case LoanKind::kReversed:
      out = lenders.front().prediction;
      out.queue = out.queue_incoming = std::nullopt;
      out.rearranged = std::nullopt;
      out.busiest_link = std::nullopt;
      return out;
    case LoanKind::kSum: {
      const Prediction& first = lenders[0].prediction;
      const Prediction& second = lenders[1].prediction;
      const auto added = [](const std::optional<uint64_t>& a, const std::optional<uint64_t>& b) {
        return a && b ? std::optional(*a + *b) : std::nullopt;
      };
      out.steps = added(first.steps, second.steps);
      if (is_told_by_plan(problem, loan)) return out;
      out.start_ups = added(first.start_ups, second.start_ups);
      out.critical_blocks = added(first.critical_blocks, second.critical_blocks);
      out.critical_hops = added(first.critical_hops, second.critical_hops);
      return out;
    }
    case LoanKind::kInTurn: {
      const uint64_t times = problem.collective().pieces() / loan.lenders[0].collective().pieces();
      const auto added = [&](std::optional<uint64_t> Prediction::*figure) -> std::optional<uint64_t> {
        std::optional<uint64_t> sum = lenders[0].prediction.*figure;
        if (sum) *sum *= times;
        if (lenders.size() == 1 || !sum) return sum;
        const std::optional<uint64_t> last = lenders[1].prediction.*figure;
        return last ? std::optional(*sum + *last) : std::nullopt;
      };
      out.steps = added(&Prediction::steps);
      out.start_ups = added(&Prediction::start_ups);
      out.critical_blocks = added(&Prediction::critical_blocks);
      out.critical_hops = added(&Prediction::critical_hops);
      return out;
    }
    case LoanKind::kTogether: {
      // Every message has all pieces.
      const Choice& whole = lenders.front();
      const uint64_t pieces = problem.collective().pieces() / whole.plan->problem().collective().pieces();
      out.steps = out.start_ups = whole.prediction.steps;
      if (whole.prediction.steps)
        out.critical_blocks = whole.prediction.critical_blocks.value_or(*whole.prediction.steps) * pieces;
      return out;
    }
    default:
      return out;
  }
}

PreparedPlan settled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders,
                     const Goal& goal) {
  const auto make = [loan, lenders, goal](const Problem& p) {
    return make_settled(p, loan, lenders, goal, true);
  };
  const auto predicted = [](const Problem&, const Made& made) { return made.prediction; };
  const auto generate = [name = lent_name(loan, lenders)](const Problem& p, const Made& made,
                                                          StepSink& sink) {
    if (made.plan) return made.plan->replay(sink);
    throw InputError(fmt::format(
        "--algorithm: {} is no plan for {}: what it is made of does not lend itself to it", name, p.title()));
  };
  return sharing(problem, make, predicted, generate, Effort::kMuch);
}

PreparedPlan unsettled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders,
                       const Goal& goal) {
  const auto predicted = [prediction = following(problem, loan, lenders)](const Problem&) {
    return prediction;
  };
  const bool is_pushed_as_it_is = !is_settled_quickly(problem) && !asks_for_order(problem);
  if (loan.of_any_size || (loan.stream && is_pushed_as_it_is)) {
    const auto pushed = [loan, lenders](const Problem& p, StepSink& sink) {
      push_streamed(p, loan, lenders, sink);
    };
    return std::make_shared<Prepared>(problem, predicted, pushed);
  }
  if (loan.kind == LoanKind::kWeaker) {
    return std::make_shared<Prepared>(
        problem, predicted,
        [plan = lenders.front().plan](const Problem&, StepSink& sink) { plan->generate(sink); });
  }
  const auto generate = [loan, lenders, goal](const Problem& p, StepSink& sink) {
    const Made made = make_settled(p, loan, lenders, goal, false);
    if (!made.plan)
      throw InputError(fmt::format("--algorithm: {} is no plan for {}", lent_name(loan, lenders), p.title()));
    made.plan->replay(sink);
  };
  return std::make_shared<Prepared>(problem, predicted, generate);
}

}  // namespace

bool is_settled_quickly(const Problem& problem) { return deliveries(problem) <= kMostDeliveries; }

std::string lent_name(const Loan& loan, const std::vector<Choice>& lenders) {
  if (loan.kind == LoanKind::kSum) return fmt::format("{} + {}", lenders[0].name(), lenders[1].name());
  return fmt::format("{}({})", loan.name, lenders.front().name());
}

Choice lend(const Problem& problem, const Loan& loan, std::vector<Choice> lenders, const Goal& goal) {
  Choice out;
  out.algorithm = lenders.front().algorithm;
  out.made_of = lent_name(loan, lenders);
  out.reason = "lent";
  const bool is_small_enough = is_settled_quickly(problem) || is_soon_merged(problem, loan) ||
                               ((is_told_by_plan(problem, loan) || is_worth_following(problem, loan, goal)) &&
                                deliveries(problem) <= kMostMeasured);
  const bool quick = is_small_enough && (goal.may_settle || !has_both(following(problem, loan, lenders)));
  const bool streamed = loan.kind == LoanKind::kWeaker || loan.of_any_size;
  const bool stored = quick || (!streamed && deliveries(problem) <= kMostStored);
  if (quick) {
    out.plan = settled(problem, loan, lenders, goal);
  } else if (stored || streamed) {
    out.plan = unsettled(problem, loan, lenders, goal);
  } else {
    out.plan = std::make_shared<Prepared>(
        problem, [](const Problem&) { return Prediction{}; },
        [name = out.made_of](const Problem& p, StepSink&) {
          throw InputError(
              fmt::format("--algorithm: {} would store too large a plan of {}", name, p.title()));
        });
  }
  out.prediction = out.plan->prediction();
  return out;
}

}  // namespace quadrille
