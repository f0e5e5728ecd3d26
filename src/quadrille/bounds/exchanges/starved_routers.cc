// Starved routers: a total exchange against weights of links, less what routers cannot sell in the first and in the last steps.
//
// As weighted_paths, but that routers have nothing of their own (exchanges/starved_ends.h proves it). On networks whose hosts have
// one link each that is worth two to five steps.
#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exchanges/price_search.h"

namespace quadrille::bounds {

extern const BoundCard starved_routers;

namespace starved_routers_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  const bool is_exchange =
      problem.collective().kind() == CollectiveKind::kAlltoall || problem.collective().counts() != nullptr;
  if (!is_exchange || model.switching != Switching::kPacket || model.duplex != Duplex::kFull ||
      problem.collective().num_ranks() < 2 || !problem.topology().has_routers())
    return std::nullopt;
  std::optional<PricedExchange> found = priced_exchange(problem, true);
  if (!found) return std::nullopt;
  return Bound{
      starved_routers.name, found->steps,
      fmt::format(
          "the cheapest paths of all blocks, over what steps can sell, {}; routers have too few blocks for that in "
          "the first and the last steps",
          what_is_weighed(found->weights)),
      BoundOn::kSteps, std::move(found->weights)};
}

}  // namespace
}  // namespace starved_routers_parts

constinit const BoundCard starved_routers = {
    .name = "starved_routers",
    .summary =
        "cheapest paths of all blocks at given weights of links, over what steps can use of them while blocks come to "
        "routers, and leave them for the last time",
    .source = "as weighted_paths; what routers lack at either end, ours",
    .knows_counts = true,
    .takes_long = true,
    .evaluate = starved_routers_parts::evaluate,
};

}  // namespace quadrille::bounds
