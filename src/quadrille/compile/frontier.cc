#include "quadrille/compile/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/choice.h"

namespace quadrille {
namespace {

double ratio(uint64_t more_blocks, uint64_t fewer_blocks, uint64_t more_starts, uint64_t fewer_starts) {
  return static_cast<double>(more_blocks - fewer_blocks) / static_cast<double>(more_starts - fewer_starts);
}

void find_ranges(std::vector<FrontierPoint>& points) {
  for (FrontierPoint& p : points) {
    p.from = 0.0;
    p.to = std::numeric_limits<double>::infinity();
    for (const FrontierPoint& other : points) {
      if (other.start_ups > p.start_ups)
        p.from = std::max(p.from, ratio(p.blocks, other.blocks, other.start_ups, p.start_ups));
      if (other.start_ups < p.start_ups)
        p.to = std::min(p.to, ratio(other.blocks, p.blocks, p.start_ups, other.start_ups));
    }
  }
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

Frontier frontier(const Problem& problem) {
  require_two_figures(problem, "frontier");
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
