// The broadcast of Tsay and Wang on square tori. Model only.
#include <fmt/format.h>

#include "quadrille/cost/equal_rings.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_torus_broadcasts.h"

namespace quadrille::published {

extern const PublishedCost broadcast_tsay_wang;

namespace broadcast_tsay_wang_parts {
namespace {

std::optional<uint64_t> steps(const EqualRings& torus) {
  return square_torus_broadcasts::tsay_wang(torus.dimensions, torus.side);
}

std::optional<std::string> refuses(const Problem& problem) {
  if (std::optional<std::string> why = refuses_all_port_worms(problem, true)) return why;
  const std::optional<EqualRings> torus = equal_rings(problem.topology());
  if (torus && steps(*torus)) return std::nullopt;
  return fmt::format("its formula is for tori with equal sides; {} is none", problem.topology().name());
}

CostParts cost(const Problem& problem) {
  const uint64_t start_ups = *steps(*equal_rings(problem.topology()));
  return {.start_ups = start_ups, .critical_blocks = start_ups};
}

}  // namespace
}  // namespace broadcast_tsay_wang_parts

constinit const PublishedCost broadcast_tsay_wang = {
    .name = "broadcast_tsay_wang",
    .collective = CollectiveKind::kBroadcast,
    .summary = "nearly optimal on square tori",
    .source = "Tsay, Wang 1998, abstract",
    .formula =
        "k ceil(log_(2k+1) n) + 1 start-ups for odd n, k ceil(log_(2k+1) (n-1)) + ceil(k/2) + 1 for even n",
    .refuses = broadcast_tsay_wang_parts::refuses,
    .cost = broadcast_tsay_wang_parts::cost,
};

}  // namespace quadrille::published
