#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/verify/rule.h"

namespace quadrille {

std::string rules_page() {
  std::string out =
      "# Rules and bounds\n\n"
      "The judge holds every transfer of a plan against these rules, each in its own file and each with a bad plan\n"
      "that only it catches. This page is written by `quadrille docs rules`.\n\n";
  Table rules({"rule", "what holds in a good plan", "details"});
  for (const RuleCard* card : rule_catalog()) {
    rules.row({fmt::format("`{}`", card->name), std::string(card->summary), std::string(card->details)});
  }
  out += rules.markdown();
  out +=
      "\n## Lower bounds\n\n"
      "What no plan can beat, from the network, the collective and the model alone. Values are exact fractions; a\n"
      "plan's steps are held against the largest of them, rounded up.\n\n";
  Table bounds({"bound", "summary", "source"});
  for (const BoundCard* card : bound_catalog()) {
    bounds.row({fmt::format("`{}`", card->name), std::string(card->summary), std::string(card->source)});
  }
  return out + bounds.markdown();
}

}  // namespace quadrille
