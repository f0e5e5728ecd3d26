#include "quadrille/cost/published_cost.h"

#include <fmt/format.h>

#include <array>

#include "quadrille/base/text.h"

namespace quadrille {

namespace published {
#define QUADRILLE_PUBLISHED_COST(name) extern const PublishedCost name;
#include "quadrille/cost/catalog.inc"
#undef QUADRILLE_PUBLISHED_COST
}  // namespace published

namespace {

constexpr std::array kCards = {
#define QUADRILLE_PUBLISHED_COST(name) &published::name,
#include "quadrille/cost/catalog.inc"
#undef QUADRILLE_PUBLISHED_COST
};

}  // namespace

double CostParts::time(const CostConstants& constants, uint64_t block_bytes) const {
  return time_of(constants,
                 {.start_ups = start_ups,
                  .critical_blocks = critical_blocks.value_or(0),
                  .critical_hops = critical_hops.value_or(0),
                  .rearranged = rearranged.value_or(0)},
                 block_bytes);
}

std::string CostParts::to_text() const {
  std::string out = fmt::format("{} start-ups", with_thousands(start_ups));
  if (critical_blocks) out += fmt::format(", {} on the critical path", plural(*critical_blocks, "block"));
  if (rearranged) out += fmt::format(", {} blocks rearranged", with_thousands(*rearranged));
  if (critical_hops) out += fmt::format(", {} hops", with_thousands(*critical_hops));
  return out;
}

const Catalog<PublishedCost>& published_costs() {
  static constexpr Catalog<PublishedCost> kCatalog(kCards);
  return kCatalog;
}

}  // namespace quadrille
