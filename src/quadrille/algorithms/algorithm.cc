#include "quadrille/algorithms/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/products/outline.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/transforms/chunks_in_order.h"
#include "quadrille/transforms/sums_in_order.h"

namespace quadrille {

namespace {

constexpr std::string_view kOutOfOrder =
    "its sums are not of consecutive ranks, as an operator that does not commute needs them (rule ranks_in_order)";

constexpr std::string_view kChunksMixed =
    "the pieces of a block overtake each other on a link, and they are to come in order (rule chunks_in_order)";

// The model of which every plan is one of this model, too, and costs the same.
std::optional<Model> weaker(Model model) {
  if (model.packets == Packets::kMany) {
    model.packets = Packets::kOne;
  } else if (model.switching == Switching::kShared) {
    model.switching = Switching::kWormhole;
  } else {
    return std::nullopt;
  }
  return model;
}

// Worms that go over a wide arc side by side take a round together.
Prediction as_predicted(const Problem& problem, Prediction prediction) {
  if (!takes_paths(problem.model())) {
    if (!prediction.start_ups) prediction.start_ups = prediction.steps;
    prediction.critical_blocks = prediction.start_ups;
    return prediction;
  }
  if (has_wide_arcs(problem.topology())) prediction.critical_blocks.reset();
  return prediction;
}

// Of so many it is looked all the same: they may come in order by chance.
constexpr uint32_t kFewPieces = 8;

// The same plan for another machine, of which it says that.
PreparedPlan that_predicts(const Problem& problem, const PreparedPlan& plan, Prepared::Predicted predicted) {
  PreparedPlan out = std::make_shared<Prepared>(
      problem, std::move(predicted), [plan](const Problem&, StepSink& sink) { plan->generate(sink); },
      plan->effort(), plan->member());
  out->takes_at_least(plan->least_start_ups());
  return out;
}

PreparedPlan as_plan_for(const Problem& problem, const PreparedPlan& plan) {
  return that_predicts(problem, plan,
                       [plan](const Problem& p) { return as_predicted(p, plan->prediction()); });
}

// The plans among them whose sums are of consecutive ranks, and whose chunks come in order, where that is asked for; they
// are made to find out.
Preparation in_order(Preparation ready, const Problem& problem) {
  const bool ordered = problem.model().combining == Operator::kOrdered;
  std::erase_if(ready.plans, [&](PreparedPlan& prepared) {
    Plan plan;
    prepared->generate(plan);
    if (ordered && !sums_in_order(problem, plan)) return true;
    if (problem.model().chunks == Chunks::kInOrder && !chunks_in_order(problem, plan)) return true;
    prepared = kept(
        problem, std::move(plan), [prepared](const Problem&, const Plan&) { return prepared->prediction(); },
        [](const Problem&, const Plan& made, StepSink& sink) { made.replay(sink); }, prepared->member());
    return false;
  });
  if (!ready.plans.empty()) return ready;
  return Preparation::no(std::string(ordered ? kOutOfOrder : kChunksMixed));
}

Preparation prepare_as_listed(const Algorithm& card, const Problem& problem) {
  if (Applicability fits = card.applies(problem); !fits.applies) return {std::move(fits), {}};
  return card.prepare(problem);
}

Preparation prepare_own(const Algorithm& card, const Problem& problem) {
  const bool is_outline = problem.topology().is_outline();
  if (is_outline && !card.counts_alone)
    return Preparation::no(fmt::format("it looks at links one by one, and those of {} are not listed",
                                       problem.topology().name()));
  if (!problem.collective().is_numbered() && !card.counts_alone)
    return Preparation::no("what it predicts takes a number for every block, and there are too many");
  if (!is_outline) return prepare_as_listed(card, problem);
  try {
    Preparation ready = prepare_as_listed(card, problem);
    for (const PreparedPlan& plan : ready.plans) static_cast<void>(plan->prediction());
    return ready;
  } catch (const OutlineError& error) {
    return Preparation::no(error.what());
  }
}

// Most cards know nothing of many packets, and say nothing of rounds. What has as many start-ups as with single
// packets sends nothing else.
PreparedPlan with_rounds(const Algorithm& card, const Problem& problem, const PreparedPlan& plan) {
  const auto predicted = [&card, plan](const Problem& many) {
    Prediction out = plan->prediction();
    if (out.critical_blocks) return out;
    const Preparation lent =
        prepare_own(card, Problem(many.topology(), many.collective(), *weaker(many.model())));
    const PreparedPlan same = lent.fits.applies ? lent.find(plan->member()) : nullptr;
    if (same == nullptr) return out;
    const Prediction single = same->prediction();
    const bool alike = single.steps == out.steps && single.start_ups == out.start_ups;
    return alike ? as_predicted(many, out) : out;
  };
  return that_predicts(problem, plan, predicted);
}

Preparation prepare_any_order(const Algorithm& card, const Problem& problem) {
  Preparation own = prepare_own(card, problem);
  const std::optional<Model> less = weaker(problem.model());
  if (own.fits.applies && problem.model().packets == Packets::kMany) {
    for (PreparedPlan& plan : own.plans) plan = with_rounds(card, problem, plan);
  }
  if (own.fits.applies || !less) return own;
  Preparation lent = prepare_own(card, Problem(problem.topology(), problem.collective(), *less));
  // Who knows many packets says best why not.
  const bool knows_many = less->packets != problem.model().packets && !own.fits.single_packets_would_do;
  if (!lent.fits.applies) return knows_many ? own : lent;
  for (PreparedPlan& plan : lent.plans) plan = as_plan_for(problem, plan);
  return lent;
}

}  // namespace

Preparation prepare(const Algorithm& card, const Problem& problem) {
  const bool ordered = problem.model().combining == Operator::kOrdered;
  const bool streamed = problem.model().chunks == Chunks::kInOrder && problem.collective().pieces() > 1;
  if (!ordered && !streamed) return prepare_any_order(card, problem);
  if (ordered && !card.may_keep_order) return Preparation::no(std::string(kOutOfOrder));
  if (streamed && card.mixes_pieces && problem.collective().pieces() > kFewPieces)
    return Preparation::no(std::string(kChunksMixed));
  Preparation ready = prepare_any_order(card, problem);
  return ready.fits.applies ? in_order(std::move(ready), problem) : ready;
}

PreparedPlan Algorithm::plan_for(const Problem& problem) const {
  const Preparation ready = quadrille::prepare(*this, problem);
  if (!ready.fits.applies)
    throw InputError(fmt::format("{} does not apply to {}: {}", name, problem.title(), ready.fits.reason));
  return cheapest(ready.plans);
}

}  // namespace quadrille
