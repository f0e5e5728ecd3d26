// Weighted paths: a total exchange against any weighing of links and ports (exchanges/price_search.h).
#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exchanges/price_search.h"
#include "quadrille/bounds/kept/kept_bounds.h"

namespace quadrille::bounds {

extern const BoundCard structured_cut;
extern const BoundCard weighted_paths;

namespace weighted_paths_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  // Where all nodes are alike, and have as much for each other, `average_status` says the same.
  const bool counted = problem.collective().counts() != nullptr;
  if (!counted && (problem.collective().kind() != CollectiveKind::kAlltoall ||
                   (topology.cayley() != nullptr && !topology.has_routers())))
    return std::nullopt;
  const std::optional<Bound> cut = KeptBounds::evaluate(structured_cut, problem);
  std::optional<PricedExchange> found = priced_exchange(problem, false, cut ? cut->value : Rational(0));
  if (!found) return std::nullopt;
  return Bound{weighted_paths.name, found->steps,
               fmt::format("the cheapest paths of all blocks, over what a step can sell, {}",
                           what_is_weighed(found->weights)),
               BoundOn::kSteps, std::move(found->weights)};
}

}  // namespace
}  // namespace weighted_paths_parts

constinit const BoundCard weighted_paths = {
    .name = "weighted_paths",
    .summary =
        "cheapest paths of all blocks at given weights of links and ports, over the weight of all that a step can use",
    .source = "dual of the concurrent flow problem; the weights are found by Young's method, ours",
    .in_proportion = true,
    .knows_counts = true,
    .takes_long = true,
    .evaluate = weighted_paths_parts::evaluate,
};

}  // namespace quadrille::bounds
