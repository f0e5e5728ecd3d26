#include "quadrille/compile/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "quadrille/base/input_error.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"

namespace quadrille {
namespace {

// In messages.
double volume(const FrontierPoint& point) {
  return static_cast<double>(point.blocks) / static_cast<double>(point.pieces);
}

// How much a start-up must cost, in the time of a message, for one to be as good as the other.
double ratio(const FrontierPoint& fewer_starts, const FrontierPoint& more_starts) {
  return (volume(fewer_starts) - volume(more_starts)) /
         static_cast<double>(more_starts.start_ups - fewer_starts.start_ups);
}

void find_ranges(std::vector<FrontierPoint>& points) {
  for (FrontierPoint& p : points) {
    p.from = 0.0;
    p.to = std::numeric_limits<double>::infinity();
    for (const FrontierPoint& other : points) {
      if (other.start_ups > p.start_ups) p.from = std::max(p.from, ratio(p, other));
      if (other.start_ups < p.start_ups) p.to = std::min(p.to, ratio(other, p));
    }
  }
}

// In as many pieces as is good.
Frontier frontier_of_sizes(const Problem& problem, unsigned threads) {
  const uint32_t given = problem.collective().pieces();
  const Problem one = given == 1 ? problem : in_pieces(problem, 1);
  std::vector<SizedPlan> plans = sized_plans(one, threads,
                                             {.own_pieces_only = given == 1 && is_large_for_sizes(problem),
                                              .pieces = given == 1 ? std::nullopt : std::optional(given)});
  std::erase_if(plans, [](const SizedPlan& plan) { return plan.model_only; });
  if (plans.empty()) throw nothing_is_timed(problem);
  const auto volume_of = [](const SizedPlan& plan) {
    return static_cast<double>(plan.rounds) / static_cast<double>(plan.pieces);
  };
  std::stable_sort(plans.begin(), plans.end(), [&](const SizedPlan& a, const SizedPlan& b) {
    return std::tuple(a.start_ups, volume_of(a), a.effort, a.pieces) <
           std::tuple(b.start_ups, volume_of(b), b.effort, b.pieces);
  });
  const std::vector<Bound> bounds = all_bounds(one);
  const TimeBound least = least_time(one, 1, bounds);
  Frontier out{{}, best_of(bounds), {}, true};
  for (const Bound& bound : bounds) {
    if (bound.name == least.rounds_by && bound.value == least.rounds) out.blocks = bound;
  }
  double volume_so_far = std::numeric_limits<double>::infinity();
  for (const SizedPlan& plan : plans) {
    if (volume_of(plan) >= volume_so_far * (1 - 1e-12)) continue;
    volume_so_far = volume_of(plan);
    const double bound = least.rounds.to_double();
    out.points.push_back({.algorithm = plan.algorithm,
                          .start_ups = plan.start_ups,
                          .blocks = plan.rounds,
                          .pieces = plan.pieces,
                          .over_bound = bound > 0 ? volume_of(plan) / bound : 0.0});
  }
  find_ranges(out.points);
  return out;
}

}  // namespace

bool trades_two_figures(const Problem& problem) {
  return takes_paths(problem.model()) && problem.collective().kind() == CollectiveKind::kAlltoall;
}

void require_two_figures(const Problem& problem, std::string_view what) {
  if (trades_two_figures(problem)) return;
  throw InputError(
      fmt::format("{}: start-ups and blocks are traded for each other in `alltoall` with `--switching "
                  "wormhole`; elsewhere the steps count alone",
                  what));
}

Frontier frontier(const Problem& problem, unsigned threads) {
  if (!trades_two_figures(problem)) return frontier_of_sizes(problem, threads);
  const std::vector<Bound> bounds = all_bounds(problem);
  Frontier out{{}, best_of(bounds), best_of(bounds, BoundOn::kCriticalBlocks)};
  const auto least = out.blocks.value.ceil();
  for (const Choice& choice : pareto_front(problem)) {
    FrontierPoint& point = out.points.emplace_back();
    point.algorithm = choice.name();
    point.start_ups = *choice.prediction.start_ups;
    point.blocks = *choice.prediction.critical_blocks;
    if (least > 0) point.over_bound = static_cast<double>(point.blocks) / static_cast<double>(least);
  }
  find_ranges(out.points);
  return out;
}

}  // namespace quadrille
