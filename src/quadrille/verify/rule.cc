#include "quadrille/verify/rule.h"

#include <array>

namespace quadrille {

// The only place that includes the catalog: a new line compiles this file, and the rule's own.
namespace rules {
#define QUADRILLE_RULE(name) extern const RuleCard name;
#include "quadrille/verify/rules/catalog.inc"
#undef QUADRILLE_RULE
}  // namespace rules

namespace {

constexpr std::array kRules = {
#define QUADRILLE_RULE(name) &rules::name,
#include "quadrille/verify/rules/catalog.inc"
#undef QUADRILLE_RULE
};

}  // namespace

std::span<const RuleCard* const> rule_catalog() { return kRules; }

const RuleCard* find_rule(std::string_view name) {
  for (const RuleCard* rule : kRules) {
    if (rule->name == name) return rule;
  }
  return nullptr;
}

}  // namespace quadrille
