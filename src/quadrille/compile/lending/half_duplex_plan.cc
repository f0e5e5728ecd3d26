#include "quadrille/compile/lending/half_duplex_plan.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/base/input_error.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/transforms/half_duplex.h"

namespace quadrille {
namespace {

// Transfers of a plan that is stored and compacted: a second, and some 300 MB.
constexpr uint64_t kMostTransfers = uint64_t{1} << 23U;
// Ranks up to which the worms of a plan are stored.
constexpr uint32_t kMostRanksOfWorms = 512;

std::string member_of(const Prepared& full) {
  return full.member().empty() ? "half_duplex" : full.member() + "/half_duplex";
}

// No more than its steps have room for.
bool can_be_stored(Prepared& full) {
  const Problem& problem = full.problem();
  if (takes_paths(problem.model())) return problem.collective().num_ranks() <= kMostRanksOfWorms;
  const std::optional<uint64_t> steps = full.prediction().steps;
  if (!steps) return is_quick_to_measure(problem, kMostMeasuredPackets);
  uint64_t capacity = 0;
  for (const uint32_t arc : problem.topology().capacities()) capacity += arc;
  return capacity == 0 || *steps <= kMostTransfers / capacity;
}

// Whether every step can be parted by itself, without looking at the others.
bool can_stream(const Problem& problem) {
  return !takes_paths(problem.model()) && problem.collective().flow() != Flow::kCombine;
}

struct Parted {
  std::optional<Plan> plan;
  Prediction prediction{};
};

Parted parted(const Problem& half, Prepared& full) {
  Plan before;
  full.generate(before);
  Parted out{on_half_duplex_links(half, before)};
  if (!out.plan) return out;
  MeasuredPlan measure(half, 0);
  out.plan->replay(measure);
  out.prediction = measure.prediction();
  out.prediction.busiest_link = full.prediction().busiest_link;
  return out;
}

PreparedPlan stored(const Problem& half, const PreparedPlan& full) {
  std::string member = member_of(*full);
  const auto make = [full](const Problem& problem) { return parted(problem, *full); };
  const auto predicted = [full](const Problem&, Once<Parted>& made) -> Prediction {
    // A search that nobody wants has said nothing, and is not begun for its steps.
    if (!made.is_made() && WorthMaking::is_limited() && full->effort() == Effort::kMuch &&
        !full->prediction().steps)
      return {};
    return made.get().prediction;
  };
  const auto generate = [](const Problem& problem, const Parted& made, StepSink& sink) {
    if (made.plan) return made.plan->replay(sink);
    throw InputError(fmt::format(
        "the full-duplex plan for {} cannot be made half duplex: a path uses a link in both directions, or "
        "contributions go round in one step",
        problem.title()));
  };
  return sharing(half, make, predicted, generate, Effort::kMuch, std::move(member));
}

PreparedPlan streaming(const Problem& half, const PreparedPlan& full) {
  const auto predicted = [full](const Problem&) {
    const Prediction one = full->prediction();
    Prediction two;
    if (one.steps) two.steps = 2 * *one.steps;
    two.busiest_link = one.busiest_link;
    return two;
  };
  const auto generate = [full](const Problem& problem, StepSink& sink) {
    OneWayAtATime parting(problem.topology(), sink);
    full->generate(parting);
  };
  return std::make_shared<Prepared>(half, predicted, generate, full->effort(), member_of(*full));
}

bool has_two_way_links(const Topology& topology) {
  for (const ArcId arc : topology.arcs())
    if (topology.reverse(arc) != kNoArc) return true;
  return false;
}

PreparedPlan as_it_is(const Problem& half, const PreparedPlan& full) {
  return std::make_shared<Prepared>(
      half, [full](const Problem&) { return full->prediction(); },
      [full](const Problem&, StepSink& sink) { full->generate(sink); }, full->effort(), member_of(*full));
}

}  // namespace

bool takes_full_duplex_plans(const Problem& problem) {
  if (problem.topology().is_outline()) return false;  // they would have to be made
  return problem.model().duplex == Duplex::kHalf && !problem.model().queue_limit && !asks_for_order(problem);
}

PreparedPlan made_half_duplex(const Problem& half, const PreparedPlan& full) {
  if (!has_two_way_links(half.topology())) return as_it_is(half, full);
  if (can_stream(half) && !can_be_stored(*full)) return streaming(half, full);
  return stored(half, full);
}

}  // namespace quadrille
