#include <array>

#include "quadrille/bounds/bound.h"

namespace quadrille {

namespace bounds {
#define QUADRILLE_BOUND(name) extern const BoundCard name;
#include "quadrille/bounds/catalog.inc"
#undef QUADRILLE_BOUND
}  // namespace bounds

namespace {

constexpr std::array kCards = {
#define QUADRILLE_BOUND(name) &bounds::name,
#include "quadrille/bounds/catalog.inc"
#undef QUADRILLE_BOUND
};

}  // namespace

const Catalog<BoundCard>& bound_catalog() {
  static constexpr Catalog<BoundCard> kCatalog(kCards);
  return kCatalog;
}

std::string_view name_of(BoundOn on) { return on == BoundOn::kSteps ? "steps" : "critical blocks"; }

std::vector<Bound> all_bounds(const Problem& problem) {
  std::vector<Bound> out;
  for (const BoundCard* card : kCards) {
    if (std::optional<Bound> bound = card->evaluate(problem)) out.push_back(*std::move(bound));
  }
  return out;
}

Bound best_of(std::span<const Bound> bounds, BoundOn on) {
  Bound best{bounds::distance.name, Rational(0), "nothing has to move", on};
  for (const Bound& bound : bounds) {
    if (bound.on == on && bound.value.ceil() > best.value.ceil()) best = bound;
  }
  if (on != BoundOn::kCriticalBlocks) return best;
  // A transfer carries at least one block, so each step in which something is sent adds at least one to the
  // critical path; steps in which nothing is sent can be left out of any plan.
  for (const Bound& bound : bounds) {
    if (bound.on == BoundOn::kSteps && bound.value.ceil() > best.value.ceil()) best = bound;
  }
  best.on = on;
  return best;
}

Bound best_bound(const Problem& problem, BoundOn on) { return best_of(all_bounds(problem), on); }

}  // namespace quadrille
