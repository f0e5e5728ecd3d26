#include "quadrille/cli/report/catalog_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/comparison/library_names.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/verify/rule.h"

namespace quadrille {
namespace {

std::vector<CatalogEntry> topologies() {
  std::vector<CatalogEntry> out;
  for (const Family* family : family_catalog()) {
    out.push_back({std::string(family->name), std::string(family->syntax), std::string(family->summary)});
  }
  return out;
}

std::vector<CatalogEntry> collectives() {
  std::vector<CatalogEntry> out;
  for (const CollectiveKind kind : listed_collectives()) {
    const std::string name(name_of(kind));
    out.push_back({name, name, std::string(summary_of(kind))});
  }
  return out;
}

template <typename Cards>
std::vector<CatalogEntry> entries_of(const Cards& cards) {
  std::vector<CatalogEntry> out;
  for (const auto* card : cards) {
    out.push_back({std::string(card->name), std::string(card->name), std::string(card->summary)});
  }
  return out;
}

std::vector<CatalogEntry> algorithms_listed() { return entries_of(algorithm_catalog()); }
std::vector<CatalogEntry> bounds_listed() { return entries_of(bound_catalog()); }
std::vector<CatalogEntry> rules_listed() { return entries_of(rule_catalog()); }
std::vector<CatalogEntry> exporters_listed() { return entries_of(exporter_catalog()); }
std::vector<CatalogEntry> machines_listed() { return entries_of(machine_catalog()); }
std::vector<CatalogEntry> costs_listed() {
  std::vector<CatalogEntry> out = entries_of(published_costs());
  for (CatalogEntry& entry : out) entry.summary += " (model only)";
  return out;
}
// They have the names of algorithms.
std::vector<CatalogEntry> local_listed() {
  std::vector<CatalogEntry> out;
  for (const LocalProgram* program : local_program_catalog()) {
    out.push_back({std::string(program->name), std::string(program->name), std::string(program->rule)});
  }
  return out;
}

constexpr std::array kCatalogs = {
    Listing{"topologies", topologies},        Listing{"collectives", collectives},
    Listing{"algorithms", algorithms_listed}, Listing{"bounds", bounds_listed},
    Listing{"rules", rules_listed},           Listing{"costs", costs_listed},
    Listing{"local", local_listed},           Listing{"machines", machines_listed},
    Listing{"exporters", exporters_listed},
};

}  // namespace

std::span<const Listing> catalogs() { return kCatalogs; }

std::vector<std::string> all_names() {
  std::vector<std::string> out;
  for (const Listing& catalog : kCatalogs) {
    for (CatalogEntry& entry : catalog.entries()) out.push_back(std::move(entry.name));
  }
  return out;
}

ValueError no_such_catalog(std::string_view given) {
  std::vector<std::string_view> names;
  for (const Listing& catalog : kCatalogs) names.push_back(catalog.name);
  return {fmt::format("there is no list of '{}'; there are {}", given, join(names)),
          {.of = "list", .given = std::string(given), .allowed = {names.begin(), names.end()}}};
}

ValueError no_such_name(std::string_view given) {
  const std::vector<std::string> names = all_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string_view near = nearest_name(given, views);
  const std::string plain = plain_library_name(given);
  if (const Algorithm* const card = card_by_library_name(given)) near = card->name;
  if (std::ranges::find(views, plain) != views.end()) near = plain;
  return {fmt::format(
              "nothing is called '{}'; {}", given,
              near.empty() ? "`quadrille list` prints all names" : fmt::format("did you mean '{}'?", near)),
          {.of = "name", .given = std::string(given), .allowed = names}};
}

std::span<const CollectiveKind> listed_collectives() {
  static constexpr auto kAll = [] {
    std::array<CollectiveKind, kCollectiveKinds.size() + 1> all{};
    std::ranges::copy(kCollectiveKinds, all.begin());
    all.back() = CollectiveKind::kAlltoallv;
    return all;
  }();
  return kAll;
}

std::string_view summary_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kBroadcast:
      return "the root's block goes to all";
    case CollectiveKind::kScatter:
      return "the root has a block for each; each gets its own";
    case CollectiveKind::kGather:
      return "each has a block; the root gets them all";
    case CollectiveKind::kAllgather:
      return "each has a block; all get all (multinode broadcast, gossip)";
    case CollectiveKind::kAlltoall:
      return "each has a block for each other (total exchange, complete exchange)";
    case CollectiveKind::kReduce:
      return "all contribute to one sum, which the root gets";
    case CollectiveKind::kReduceScatter:
      return "all contribute to a sum for each; each gets its own";
    case CollectiveKind::kAllreduce:
      return "all contribute to one sum, which all get";
    case CollectiveKind::kAlltoallv:
      return "each has as many blocks for each other as a matrix of counts says (--counts FILE)";
  }
  return "";
}

}  // namespace quadrille
