// The broadcast of Tsai and McKinley on tori with sides 2^d. Model only.
#include <fmt/format.h>

#include "quadrille/cost/equal_rings.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_torus_broadcasts.h"

namespace quadrille::published {

extern const PublishedCost broadcast_tsai_mckinley;

namespace broadcast_tsai_mckinley_parts {
namespace {

std::optional<std::string> refuses(const Problem& problem) {
  if (std::optional<std::string> why = refuses_all_port_worms(problem, true)) return why;
  if (square_torus_broadcasts::tsai_mckinley(torus_sides(problem.topology()))) return std::nullopt;
  return fmt::format("its formula is for tori 2^d x 2^d and 2^d x 2^d x z, d >= 2; {} is none",
                     problem.topology().name());
}

CostParts cost(const Problem& problem) {
  const uint64_t steps = *square_torus_broadcasts::tsai_mckinley(torus_sides(problem.topology()));
  return {.start_ups = steps, .critical_blocks = steps};
}

}  // namespace
}  // namespace broadcast_tsai_mckinley_parts

constinit const PublishedCost broadcast_tsai_mckinley = {
    .name = "broadcast_tsai_mckinley",
    .collective = CollectiveKind::kBroadcast,
    .summary = "extended dominating nodes, in dimension order",
    .source =
        "Tsai, McKinley 1996, by section 6 of Wang, Tseng 2000; the formula for z is read from damaged text",
    .formula = "d start-ups on 2^d x 2^d; on 2^d x 2^d x z d+1 for z <= 7, d+m+2 for 7 6^m < z <= 7 6^(m+1)",
    .refuses = broadcast_tsai_mckinley_parts::refuses,
    .cost = broadcast_tsai_mckinley_parts::cost,
};

}  // namespace quadrille::published
