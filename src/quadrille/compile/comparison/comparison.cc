#include "quadrille/compile/comparison/comparison.h"

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/comparison/frontier.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

void add(std::vector<ComparedCost>& out, const Problem& problem, uint64_t block_bytes, const Choice& choice,
         ArrayMeter& meter) {
  const Prediction& prediction = choice.prediction;
  if (!prediction.start_ups || !prediction.critical_blocks) return;
  ComparedCost cost{choice.name(),
                    false,
                    *prediction.start_ups,
                    *prediction.critical_blocks,
                    choice.rearranged(),
                    choice.critical_hops(),
                    choice.further_messages()};
  if (!cost.counted(problem)) {
    const MeasuredCost measured = meter(choice);
    if (!cost.rearranged) cost.rearranged = measured.rearranged;
    if (!cost.hops) cost.hops = measured.critical_hops;
    if (!cost.further_messages) cost.further_messages = measured.further_messages;
  }
  cost.time = time_of(problem.model().cost,
                      {cost.start_ups, cost.blocks, cost.hops.value_or(0), cost.rearranged.value_or(0),
                       cost.further_messages.value_or(0)},
                      block_bytes);
  out.push_back(std::move(cost));
}

// The plan of fewest steps, where it is lent.
void add_lent(const Problem& problem, std::vector<ComparedSteps>& out) {
  try {
    const Choice choice =
        choose_algorithm(problem, 1, static_cast<uint64_t>(best_bound(problem).value.ceil()));
    if (!choice.made_of.empty() && choice.prediction.steps)
      out.push_back({choice.name(), false, *choice.prediction.steps});
  } catch (const InputError&) {
    // Nothing serves it.
  }
}

}  // namespace

bool ComparedCost::counted(const Problem& problem) const {
  return (rearranged || !rearranging_costs(problem)) && (hops || !hops_cost(problem)) &&
         (further_messages || !messages_cost(problem));
}

std::vector<ComparedCost> compare_costs(const Problem& problem, uint64_t block_bytes) {
  require_two_figures(problem, "compare_costs");
  std::vector<ComparedCost> out;
  ArrayMeter meter(problem);
  const SharedFactorExchanges shared;
  for_each_choice(problem, block_bytes,
                  [&](const Choice& choice) { add(out, problem, block_bytes, choice, meter); });
  for (const PublishedCost* card : published_costs()) {
    if (card->collective != problem.collective().kind() || card->refuses(problem)) continue;
    const CostParts parts = card->cost(problem);
    if (!parts.critical_blocks) continue;
    out.push_back({std::string(card->name), true, parts.start_ups, *parts.critical_blocks, parts.rearranged,
                   parts.critical_hops, std::nullopt, parts.time(problem.model().cost, block_bytes)});
  }
  std::stable_sort(out.begin(), out.end(), [&](const ComparedCost& a, const ComparedCost& b) {
    const bool a_known = a.counted(problem);
    if (a_known != b.counted(problem)) return a_known;
    return a.time != b.time ? a.time < b.time : a.blocks < b.blocks;
  });
  return out;
}

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
           false, *steps});
    }
  }
  for (const PublishedCost* card : published_costs()) {
    if (card->collective == problem.collective().kind() && !card->refuses(problem))
      out.plans.push_back({std::string(card->name), true, card->cost(problem).start_ups});
  }
  if (problem.topology().num_nodes() <= kSmall) add_lent(problem, out.plans);
  std::stable_sort(out.plans.begin(), out.plans.end(),
                   [](const ComparedSteps& a, const ComparedSteps& b) { return a.steps < b.steps; });
  return out;
}

}  // namespace quadrille
