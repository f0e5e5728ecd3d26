#include "quadrille/verify/rule.h"

#include <array>

namespace quadrille {

namespace rules {
#define QUADRILLE_RULE(name) extern const RuleCard name;
#include "quadrille/verify/rules/catalog.inc"
#undef QUADRILLE_RULE
}  // namespace rules

namespace {

constexpr std::array kCards = {
#define QUADRILLE_RULE(name) &rules::name,
#include "quadrille/verify/rules/catalog.inc"
#undef QUADRILLE_RULE
};

}  // namespace

const Catalog<RuleCard>& rule_catalog() {
  static constexpr Catalog<RuleCard> kCatalog(kCards);
  return kCatalog;
}

}  // namespace quadrille
