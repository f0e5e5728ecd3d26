// Rules: what the judge demands, one file each in rules/, one line each in rules/catalog.inc.
#pragma once

#include <span>
#include <string_view>

namespace quadrille {

/// How a rule introduces itself.
struct RuleCard {
  std::string_view name{};
  std::string_view summary{};  ///< what holds in a good plan, one sentence
  std::string_view details{};  ///< when it applies, how it counts
};

namespace rules {
#define QUADRILLE_RULE(name) extern const RuleCard name;
#include "quadrille/verify/rules/catalog.inc"
#undef QUADRILLE_RULE
}  // namespace rules

/// All rules, sorted by name.
[[nodiscard]] std::span<const RuleCard* const> rule_catalog();
/// The rule with that name, or null.
[[nodiscard]] const RuleCard* find_rule(std::string_view name);

}  // namespace quadrille
