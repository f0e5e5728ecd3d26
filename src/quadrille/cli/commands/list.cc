// quadrille list: the names in the catalogs.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/json/json.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/catalog_entries.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace list_parts {
namespace {

struct ListOptions {
  std::string catalog{};
  bool json = false;
};

void print_text(const std::vector<const Listing*>& catalogs, std::ostream& out) {
  for (const Listing* catalog : catalogs) {
    if (catalog != catalogs.front()) out << "\n";
    out << catalog->name << "\n";
    Table table({"", ""});
    for (const CatalogEntry& entry : catalog->entries()) table.row({entry.title, entry.summary});
    out << table.text(2);
  }
}

void print_json(const std::vector<const Listing*>& catalogs, std::ostream& out) {
  Json all = Json::object();
  for (const Listing* catalog : catalogs) {
    Json entries = Json::array();
    for (const CatalogEntry& entry : catalog->entries()) {
      Json one = Json::object();
      one.set("name", entry.name).set("summary", entry.summary);
      if (entry.title != entry.name) one.set("syntax", entry.title);
      entries.push(std::move(one));
    }
    all.set(catalog->name, std::move(entries));
  }
  out << all.text();
}

int list(const ListOptions& options, Console& console) {
  std::vector<const Listing*> chosen;
  for (const Listing& catalog : catalogs()) {
    if (options.catalog.empty() || options.catalog == catalog.name) chosen.push_back(&catalog);
  }
  if (chosen.empty()) throw no_such_catalog(options.catalog);
  if (options.json) {
    print_json(chosen, console.out);
  } else {
    print_text(chosen, console.out);
  }
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ListOptions>();
  app.add_option(
      "CATALOG", options->catalog,
      "topologies, collectives, algorithms, bounds, rules, costs, local or machines (default: all)");
  app.add_flag("--json", options->json, "print them as JSON");
  return [options](Console& console) { return list(*options, console); };
}

}  // namespace
}  // namespace list_parts

namespace commands {

extern const Command list;

const Command list{
    .name = "list",
    .summary = "topologies, collectives, algorithms, bounds, rules, costs, machines",
    .details =
        "Prints what there is, one line each. `quadrille explain NAME` says more about any name. Costs are "
        "formulas of published algorithms that are not built here, for comparison. Local are the algorithms "
        "whose nodes can decide for themselves (`quadrille run --local`).",
    .example = R"~($ quadrille list collectives
collectives
  broadcast       the root's block goes to all
  scatter         the root has a block for each; each gets its own
  gather          each has a block; the root gets them all
  allgather       each has a block; all get all (multinode broadcast, gossip)
  alltoall        each has a block for each other (total exchange, complete exchange)
  reduce          all contribute to one sum, which the root gets
  reduce_scatter  all contribute to a sum for each; each gets its own
  allreduce       all contribute to one sum, which all get
  alltoallv       each has as many blocks for each other as a matrix of counts says (--counts FILE)
)~",
    .setup = list_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
