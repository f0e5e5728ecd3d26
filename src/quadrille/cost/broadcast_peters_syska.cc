// The broadcast of Peters and Syska on two-dimensional tori with sides 5^p and 2 5^p. Model only.
#include <fmt/format.h>

#include "quadrille/cost/equal_rings.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_torus_broadcasts.h"

namespace quadrille::published {

extern const PublishedCost broadcast_peters_syska;

namespace broadcast_peters_syska_parts {
namespace {

std::optional<uint64_t> steps(const EqualRings& torus) {
  return square_torus_broadcasts::peters_syska(torus.dimensions, torus.side);
}

std::optional<std::string> refuses(const Problem& problem) {
  if (std::optional<std::string> why = refuses_all_port_worms(problem, false)) return why;
  const std::optional<EqualRings> torus = equal_rings(problem.topology());
  if (torus && steps(*torus)) return std::nullopt;
  return fmt::format("its formula is for tori 5^p x 5^p and 2 5^p x 2 5^p; {} is none",
                     problem.topology().name());
}

CostParts cost(const Problem& problem) {
  const uint64_t start_ups = *steps(*equal_rings(problem.topology()));
  return {.start_ups = start_ups, .critical_blocks = start_ups};
}

}  // namespace
}  // namespace broadcast_peters_syska_parts

constinit const PublishedCost broadcast_peters_syska = {
    .name = "broadcast_peters_syska",
    .collective = CollectiveKind::kBroadcast,
    .summary = "perfect codes of the torus, not in dimension order",
    .source = "Peters, Syska 1996, by section 1 of Wang, Tseng 2000",
    .formula = "2p start-ups on 5^p x 5^p, 2p+1 on 2 5^p x 2 5^p",
    .refuses = broadcast_peters_syska_parts::refuses,
    .cost = broadcast_peters_syska_parts::cost,
};

}  // namespace quadrille::published
