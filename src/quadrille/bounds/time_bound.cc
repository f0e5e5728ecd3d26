#include "quadrille/bounds/time_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

// The same with blocks that are sent whole.
Problem in_one_piece(const Problem& problem) {
  const std::optional<Rank> root = problem.collective().root();
  const NodeId node = root ? problem.topology().endpoint(*root) : kNoNode;
  const CollectiveKind kind = problem.collective().kind();
  return problem.collective().is_numbered()
             ? standard_problem(problem.topology(), kind, problem.model(), node)
             : problem_for_figures(problem.topology(), kind, problem.model(), node);
}

// Bounds of one piece.
TimeBound from(const Problem& problem, std::span<const Bound> bounds) {
  TimeBound out;
  const Bound steps = best_of(bounds);
  out.start_ups = static_cast<uint64_t>(steps.value.ceil());
  out.start_ups_by = steps.name;
  // Where a step has one round, steps are rounds.
  const BoundOn counted = sends_single_packets(problem.model()) ? BoundOn::kSteps : BoundOn::kCriticalBlocks;
  for (const Bound& bound : bounds) {
    if (bound.on != counted) continue;
    const BoundCard* const card = bound_catalog().find(bound.name);
    if (card == nullptr || !card->in_proportion || bound.value <= out.rounds) continue;
    out.rounds = bound.value;
    out.rounds_by = bound.name;
  }
  return out;
}

}  // namespace

std::string TimeBound::to_text() const {
  std::string out = plural(start_ups, "start-up");
  if (!start_ups_by.empty() && start_ups > 0) out += fmt::format(" ({})", start_ups_by);
  if (!rounds_by.empty())
    out += fmt::format(" and {:.6g} messages over a link ({})", rounds.to_double(), rounds_by);
  return out;
}

TimeBound least_time(const Problem& problem, uint64_t message_bytes, std::span<const Bound> bounds) {
  std::vector<Bound> of_one;
  if (problem.collective().pieces() > 1) {
    of_one = all_bounds(in_one_piece(problem));
    bounds = of_one;
  }
  TimeBound out = from(problem, bounds);
  const CostConstants& cost = problem.model().cost;
  // Whatever starts goes somewhere.
  out.time = static_cast<double>(out.start_ups) * (cost.ts + cost.tl) +
             static_cast<double>(message_bytes) * out.rounds.to_double() * cost.tx;
  return out;
}

}  // namespace quadrille
