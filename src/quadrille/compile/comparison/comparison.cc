#include "quadrille/compile/comparison/comparison.h"

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

// The plan of fewest steps, where it is lent.
void add_lent(const Problem& problem, std::vector<ComparedSteps>& out) {
  try {
    const Choice choice =
        choose_algorithm(problem, 1, static_cast<uint64_t>(best_bound(problem).value.ceil()));
    if (!choice.made_of.empty() && choice.prediction.steps)
      out.push_back({choice.name(), false, *choice.prediction.steps, choice.prediction.critical_blocks});
  } catch (const InputError&) {
    // Nothing serves it.
  }
}

}  // namespace

StepComparison compare_steps(const Problem& problem) {
  // As choose_algorithm(): on small networks every prediction takes a moment, and what one node does never takes long.
  constexpr uint32_t kSmall = 128;
  const SharedFactorExchanges shared;
  StepComparison out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Preparation ready = prepare_serving(*card, problem);
    if (!ready.fits.applies) continue;
    const bool is_at_one_node = card->same_at_all_nodes != nullptr && card->same_at_all_nodes(problem);
    if (ready.plans.front()->effort() == Effort::kMuch && problem.topology().num_nodes() > kSmall &&
        !is_at_one_node) {
      out.not_asked.emplace_back(card->name);
      continue;
    }
    const PreparedPlan& plan = cheapest(ready.plans);
    if (const std::optional<uint64_t> steps = plan->prediction().steps) {
      out.plans.push_back(
          {plan->member().empty() ? std::string(card->name) : std::string(card->name) + ":" + plan->member(),
           false, *steps, plan->prediction().critical_blocks});
    }
  }
  for (const PublishedCost* card : published_costs()) {
    if (card->collective != problem.collective().kind() || card->refuses(problem)) continue;
    const CostParts parts = card->cost(problem);
    out.plans.push_back({std::string(card->name), true, parts.start_ups, parts.critical_blocks});
  }
  if (problem.topology().num_nodes() <= kSmall) add_lent(problem, out.plans);
  std::stable_sort(out.plans.begin(), out.plans.end(),
                   [](const ComparedSteps& a, const ComparedSteps& b) { return a.steps < b.steps; });
  return out;
}

}  // namespace quadrille
