#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/claims/claims.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/catalog.h"

namespace quadrille {
namespace {

using Sources = std::map<std::string, std::vector<std::string>, std::less<>>;

// What says nothing of where a thing comes from.
bool names_nothing(std::string_view source) {
  return source.empty() || source == "ours" || source == "folklore" || source == "counting" ||
         source == "baseline" || source.starts_with("as ") || source.starts_with("a packet");
}

template <typename Cards>
void add(const Cards& cards, Sources& sources) {
  for (const auto* card : cards) {
    if (!names_nothing(card->source))
      sources[std::string(card->source)].push_back(fmt::format("`{}`", card->name));
  }
}

}  // namespace

std::string bibliography_page() {
  std::string out =
      "# Bibliography\n\n"
      "Where algorithms, bounds and figures come from; `quadrille explain NAME` says it of one. What is \"ours\" alone is not\n"
      "listed. This page is written by `quadrille docs bibliography`.\n\n## The five papers\n\n"
      "Quadrille started from them; [claims.md](claims.md) has every theorem, table and figure.\n\n";
  for (const Paper& paper : papers()) out += fmt::format("- `{}`: {}\n", paper.key, paper.citation);
  const auto section = [&](std::string_view title, const Sources& sources) {
    out += fmt::format("\n## {}\n\n", title);
    Table table({"source", "for"});
    for (const auto& [source, names] : sources) table.row({source, join(names)});
    out += table.markdown();
  };
  Sources algorithms;
  add(algorithm_catalog(), algorithms);
  section("Algorithms", algorithms);
  Sources bounds;
  add(bound_catalog(), bounds);
  section("Lower bounds", bounds);
  Sources costs;
  add(published_costs(), costs);
  section("Published costs", costs);
  Sources networks;
  add(family_catalog(), networks);
  section("Networks", networks);
  Sources machines;
  add(machine_catalog(), machines);
  section("Machines", machines);
  return out;
}

}  // namespace quadrille
