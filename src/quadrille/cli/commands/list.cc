// quadrille list: the names in the catalogs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/catalog_entries.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace list_parts {
namespace {

// The entries of one catalog that are printed.
struct Chosen {
  std::string_view name;
  std::vector<CatalogEntry> entries;
};

struct ListOptions {
  std::string catalog{};
  std::string word{};
  bool names = false;
  bool json = false;
  bool csv = false;
};

// Whether it stands in the name between underscores: "alltoall" in alltoall_ring, not in alltoallv_ring.
bool has_word(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_')) return true;
  }
  return false;
}

// Those with the word in their name; where there is none, those with these letters in it.
std::vector<CatalogEntry> chosen_from(const Listing& catalog, const std::string& word) {
  std::vector<CatalogEntry> all = catalog.entries();
  if (word.empty()) return all;
  std::vector<CatalogEntry> out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](const CatalogEntry& e) { return has_word(e.name, word); });
  if (!out.empty()) return out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](const CatalogEntry& e) { return e.name.find(word) != std::string::npos; });
  if (out.empty()) throw InputError(fmt::format("none of the {} has '{}' in its name", catalog.name, word));
  return out;
}

void print_text(const std::vector<Chosen>& catalogs, std::ostream& out) {
  for (const Chosen& catalog : catalogs) {
    if (&catalog != &catalogs.front()) out << "\n";
    out << catalog.name << "\n";
    Table table({"", ""});
    for (const CatalogEntry& entry : catalog.entries) table.row({entry.title, entry.summary});
    out << table.text(2);
  }
}

void print_names(const std::vector<Chosen>& catalogs, std::ostream& out) {
  for (const Chosen& catalog : catalogs) {
    for (const CatalogEntry& entry : catalog.entries) out << entry.name << "\n";
  }
}

void print_json(const std::vector<Chosen>& catalogs, std::ostream& out) {
  Json all = Json::object();
  for (const Chosen& catalog : catalogs) {
    Json entries = Json::array();
    for (const CatalogEntry& entry : catalog.entries) {
      Json one = Json::object();
      one.set("name", entry.name).set("summary", entry.summary);
      if (entry.title != entry.name) one.set("syntax", entry.title);
      entries.push(std::move(one));
    }
    all.set(catalog.name, std::move(entries));
  }
  out << all.text();
}

void print_csv(const std::vector<Chosen>& catalogs, std::ostream& out) {
  out << "catalog,name,syntax,summary\n";
  for (const Chosen& catalog : catalogs) {
    for (const CatalogEntry& entry : catalog.entries)
      out << fmt::format("{},{},{},{}\n", catalog.name, csv_word(entry.name), csv_word(entry.title),
                         csv_word(entry.summary));
  }
}

int list(const ListOptions& options, Console& console) {
  if (int{options.names} + int{options.json} + int{options.csv} > 1)
    throw InputError("--names, --json and --csv: one of them, please");
  std::vector<Chosen> chosen;
  for (const Listing& catalog : catalogs()) {
    if (!options.catalog.empty() && options.catalog != catalog.name) continue;
    chosen.push_back({catalog.name, chosen_from(catalog, options.word)});
  }
  if (chosen.empty()) throw no_such_catalog(options.catalog);
  const auto print = options.names  ? print_names
                     : options.json ? print_json
                     : options.csv  ? print_csv
                                    : print_text;
  print(chosen, console.out);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ListOptions>();
  app.add_option(
         "CATALOG", options->catalog,
         "topologies, collectives, algorithms, bounds, rules, costs, local, machines or exporters (default: all)")
      ->offers("topologies collectives algorithms bounds rules costs local machines exporters");
  app.add_option("WORD", options->word, "only those with this in their name: a collective, say");
  app.add_flag("--json", options->json, "print them as JSON");
  app.add_flag("--csv", options->csv, "print them as rows of CSV");
  app.add_flag("--names", options->names, "print the names alone, one a line");
  return [options](Console& console) { return list(*options, console); };
}

}  // namespace
}  // namespace list_parts

namespace commands {

extern const Command list;

const Command list{
    .name = "list",
    .summary = "topologies, collectives, algorithms, bounds, costs, exporters, ..",
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
