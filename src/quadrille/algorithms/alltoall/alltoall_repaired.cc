// Total exchange on a network with faults: the plan of the whole network, with what the faults have hit moved.
//
// Of the cards that have a plan for the whole network by formula those with the fewest steps make it. Blocks that
// would cross what is dead take other ways, in slots that are idle without them and behind the plan (repair/repaired_plan.h).
// One dead link of torus(16,16,16) hits one block in a thousand; everybody else keeps the steps that he had.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/repair/repaired_plan.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/faults/faulty_origin.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_repaired;

namespace alltoall_repaired_parts {
namespace {

constexpr size_t kMostSides = 6;  // from which the same faults are looked at

Problem on_whole(const Problem& problem, const Topology& whole) {
  return standard_problem(whole, CollectiveKind::kAlltoall, problem.model(), kNoNode,
                          problem.collective().pieces());
}

// Slots of the whole plan up to which one is repaired, too, that has to be made for it.
constexpr uint64_t kMostSlots = 100'000'000;

struct BestOfWhole {
  PreparedPlan same_at_all_nodes{};  // repaired without being made
  PreparedPlan other{};
  uint64_t steps = 0;
};

// The plans by formula with the fewest steps.
BestOfWhole best_of_whole(const Problem& whole) {
  BestOfWhole best;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != CollectiveKind::kAlltoall || card == &alltoall_repaired) continue;
    const Preparation ready = prepare(*card, whole);
    if (!ready.fits.applies || ready.plans.front()->effort() == Effort::kMuch) continue;
    const PreparedPlan& plan = cheapest(ready.plans);
    const std::optional<uint64_t> steps = plan->prediction().steps;
    if (!steps) continue;
    const bool is_first = best.same_at_all_nodes == nullptr && best.other == nullptr;
    if (!is_first && *steps > best.steps) continue;
    if (is_first || *steps < best.steps) best = {.steps = *steps};
    const bool is_same = card->same_at_all_nodes != nullptr && card->same_at_all_nodes(whole);
    PreparedPlan& of_its_kind = is_same ? best.same_at_all_nodes : best.other;
    if (of_its_kind == nullptr) of_its_kind = plan;
  }
  return best;
}

HealthyPlan healthy_plan(const PreparedPlan& plan) {
  return {[plan](StepSink& sink) { plan->generate(sink); }};
}

// Where the whole is not too large both are repaired, and the shorter is taken: how free slots lie is an accident.
RepairedPlan repaired_from(const BestOfWhole& best, const Problem& whole,
                           const std::vector<LivingPart>& parts) {
  if (best.same_at_all_nodes == nullptr) return {parts, healthy_plan(best.other)};
  HealthyPlan plan = healthy_plan(best.same_at_all_nodes);
  plan.brief = std::make_shared<const OneNodesMoves>(whole, plan.replay);
  RepairedPlan first(parts, std::move(plan));
  if (best.other == nullptr || best.steps * whole.topology().num_arcs() > SearchLimits::work(kMostSlots))
    return first;
  RepairedPlan second(parts, healthy_plan(best.other));
  if (second.steps() < first.steps()) return second;
  return first;
}

Applicability applies(const Problem& problem) {
  if (!problem.topology().name().starts_with("without("))
    return Applicability::no(
        fmt::format("it needs a network with faults, without(..); {} has none", problem.topology().name()));
  if (problem.model().switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  if (!sends_single_packets(problem.model())) return Applicability::for_single_packets();
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  if (Applicability fits = all_ports(problem); !fits.applies) return fits;
  if (faulty_origin(problem.topology())) return Applicability::yes();
  return Applicability::no("the network with its links comes out of a file");
}

Prediction predicted(const Problem&, const RepairedPlan& plan) {
  return {.steps = plan.steps(), .start_ups = plan.steps(), .measured = true};
}

void generate(const Problem&, const RepairedPlan& plan, StepSink& sink) { plan.generate(sink); }

Preparation prepare_repair(const Problem& problem) {
  const auto origin = std::make_shared<const FaultyOrigin>(*faulty_origin(problem.topology()));
  const Problem whole = on_whole(problem, origin->whole);
  const BestOfWhole best = best_of_whole(whole);
  if (best.same_at_all_nodes == nullptr && best.other == nullptr)
    return Preparation::no(fmt::format("nothing has a plan by formula for {}", origin->whole.name()));
  const auto repaired = [origin, whole, best](const Problem& p) -> RepairedPlan {
    count_work(Work::kSearching);
    return repaired_from(best, whole, symmetric_parts(whole, p, origin->original, kMostSides));
  };
  return Preparation::of(sharing(problem, repaired, predicted, generate, Effort::kMuch));
}

}  // namespace
}  // namespace alltoall_repaired_parts

constinit const Algorithm alltoall_repaired = {
    .name = "alltoall_repaired",
    .collective = CollectiveKind::kAlltoall,
    .summary = "the plan of the network without its faults, with the blocks that they hit on other ways",
    .source = "ours",
    .remarks =
        "networks without(..) some links and nodes, whose whole has a plan by formula; all ports; what the faults do not hit "
        "keeps its steps",
    .applies = alltoall_repaired_parts::applies,
    .prepare = alltoall_repaired_parts::prepare_repair,
};

}  // namespace quadrille::algorithms
