#include "quadrille/compile/lending/lent_plan.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/base/input_error.h"
#include "quadrille/transforms/compact_steps.h"

namespace quadrille {
namespace {

// Deliveries of blocks: what they take grows with the way of each.
constexpr uint64_t kMostDeliveries = uint64_t{1} << 17U;
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

Made make_settled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders) {
  std::vector<Plan> plans(lenders.size());
  for (size_t i = 0; i < lenders.size(); ++i) lenders[i].plan->generate(plans[i]);
  Made out{loan.make(problem, plans)};
  if (!out.plan) return out;
  if (is_settled_quickly(problem)) out.plan = compact_steps(problem, *out.plan);
  MeasuredPlan measure(0);
  out.plan->replay(measure);
  out.prediction = measure.prediction();
  return out;
}

// What follows without a look at the plan.
Prediction following(const Loan& loan, const std::vector<Choice>& lenders) {
  Prediction out;
  switch (loan.kind) {
    case LoanKind::kWeaker: {
      out = lenders.front().prediction;
      const Model& model = loan.lenders.front().model();
      if (sends_single_packets(model)) {
        out.critical_blocks = out.start_ups;
        out.critical_hops = out.start_ups;
      }
      return out;
    }
    case LoanKind::kSame:
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
      if (first.steps && second.steps) out.steps = *first.steps + *second.steps;
      return out;
    }
    default:
      return out;
  }
}

PreparedPlan settled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders) {
  const auto make = [loan, lenders](const Problem& p) { return make_settled(p, loan, lenders); };
  const auto predicted = [](const Problem&, const Made& made) { return made.prediction; };
  const auto generate = [name = lent_name(loan, lenders)](const Problem& p, const Made& made,
                                                          StepSink& sink) {
    if (made.plan) return made.plan->replay(sink);
    throw InputError(fmt::format(
        "--algorithm: {} is no plan for {}: what it is made of does not lend itself to it", name, p.title()));
  };
  return sharing(problem, make, predicted, generate, Effort::kMuch);
}

PreparedPlan unsettled(const Problem& problem, const Loan& loan, const std::vector<Choice>& lenders) {
  const auto predicted = [prediction = following(loan, lenders)](const Problem&) { return prediction; };
  if (loan.kind == LoanKind::kWeaker) {
    return std::make_shared<Prepared>(
        problem, predicted,
        [plan = lenders.front().plan](const Problem&, StepSink& sink) { plan->generate(sink); });
  }
  const auto generate = [loan, lenders](const Problem& p, StepSink& sink) {
    const Made made = make_settled(p, loan, lenders);
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

Choice lend(const Problem& problem, const Loan& loan, std::vector<Choice> lenders) {
  Choice out;
  out.algorithm = lenders.front().algorithm;
  out.made_of = lent_name(loan, lenders);
  out.reason = "lent";
  const bool quick = is_settled_quickly(problem);
  const bool stored = quick || (loan.kind != LoanKind::kWeaker && deliveries(problem) <= kMostStored);
  if (quick) {
    out.plan = settled(problem, loan, lenders);
  } else if (stored || loan.kind == LoanKind::kWeaker) {
    out.plan = unsettled(problem, loan, lenders);
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
