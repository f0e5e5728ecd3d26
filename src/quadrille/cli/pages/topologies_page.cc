#include <fmt/format.h>

#include <optional>

#include "quadrille/base/text.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/checked_facts.h"
#include "quadrille/topology/catalog.h"

namespace quadrille {
namespace {

std::string text(const std::optional<Int128>& value) { return value ? to_string(*value) : "-"; }

std::string range(const std::optional<Int128>& least, const std::optional<Int128>& most) {
  return least == most ? text(least) : text(least) + " to " + text(most);
}

std::string text(const std::optional<Rational>& value) { return value ? value->to_string() : "-"; }

std::string text(const std::optional<Bisection>& cut) {
  return cut ? to_string(cut->capacity) + (cut->proved ? "" : " (best known)") : "-";
}

std::string figures_of(const Family& family) {
  Table table(
      {"network", "nodes", "links", "degree", "diameter", "average distance", "total distance", "bisection"});
  for (const std::string_view sample : family.samples) {
    const TopologyFacts facts = checked_facts(parse_spec(sample, "sample")).facts;
    table.row({fmt::format("`{}`", facts.spec), to_string(facts.nodes), to_string(facts.links),
               range(facts.min_degree, facts.max_degree), text(facts.diameter),
               text(facts.average_distance()), range(facts.min_status, facts.max_status),
               text(facts.bisection)});
  }
  return table.markdown();
}

std::string section(const Family& family) {
  std::string out = fmt::format("\n## {}\n\n`{}`: {}.\n\n", family.name, family.syntax, family.summary);
  const auto item = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) out += fmt::format("- {}: {}\n", label, value);
  };
  item("parameters", family.parameters);
  item("numbering", family.numbering);
  item("also called", join(family.aliases));
  item("source", family.source);
  return family.samples.empty() ? out : out + "\n" + figures_of(family);
}

}  // namespace

std::string topologies_page() {
  std::string out =
      "# Topologies\n\n"
      "The families of networks, how they are written, and figures of small members: the closed forms, held against a\n"
      "search. The total distance of a node (its status) is the sum of its distances to all endpoints. `quadrille show "
      "SPEC`\nprints the figures of any network. This page is written by `quadrille docs topologies`.\n";
  for (const Family* family : family_catalog()) out += section(*family);
  return out;
}

}  // namespace quadrille
