// The broadcast of Park and others on tori with sides (2k+1)^p. Model only.
#include <fmt/format.h>

#include "quadrille/cost/equal_rings.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_torus_broadcasts.h"

namespace quadrille::published {

extern const PublishedCost broadcast_park;

namespace broadcast_park_parts {
namespace {

std::optional<uint64_t> steps(const EqualRings& torus) {
  return square_torus_broadcasts::park(torus.dimensions, torus.side);
}

std::optional<std::string> refuses(const Problem& problem) {
  if (std::optional<std::string> why = refuses_all_port_worms(problem, false)) return why;
  const std::optional<EqualRings> torus = equal_rings(problem.topology());
  if (torus && steps(*torus)) return std::nullopt;
  return fmt::format("its formula is for k-dimensional tori with equal sides (2k+1)^p; {} is none",
                     problem.topology().name());
}

CostParts cost(const Problem& problem) {
  const uint64_t start_ups = *steps(*equal_rings(problem.topology()));
  return {.start_ups = start_ups, .critical_blocks = start_ups};
}

}  // namespace
}  // namespace broadcast_park_parts

constinit const PublishedCost broadcast_park = {
    .name = "broadcast_park",
    .collective = CollectiveKind::kBroadcast,
    .summary = "every informed node informs 2k others in every step, not in dimension order",
    .source = "Park, Choi, Bose, Choi 1997, by section 6 of Wang, Tseng 2000",
    .formula =
        "k p start-ups on k-dimensional tori with sides (2k+1)^p, which is the bound without dimension order",
    .refuses = broadcast_park_parts::refuses,
    .cost = broadcast_park_parts::cost,
};

}  // namespace quadrille::published
