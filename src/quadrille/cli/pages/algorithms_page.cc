#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/catalog_entries.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/compile.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr std::array<std::string_view, 9> kNetworks = {
    "ring(8)",     "mesh(4,4)",    "mesh(5,3)",
    "torus(4,4)",  "torus(5,4)",   "star(4)",
    "complete(6)", "hypercube(4)", "fat_tree(4,4;constant)"};

struct SampleModel {
  std::string_view name;
  Model model;
};

std::vector<SampleModel> sample_models() {
  Model one;
  one.send = one.receive = kOnePort;
  Model worms = one;
  worms.switching = Switching::kWormhole;
  return {{"one port", one}, {"all ports", Model{}}, {"one port, wormhole", worms}};
}

constexpr std::string_view kSampleCounts = "\nIn the tables rank s has (3s + 5t) mod 4 blocks for rank t.\n";

Problem sample_problem(const Topology& topology, CollectiveKind kind, const Model& model) {
  if (kind != CollectiveKind::kAlltoallv) return standard_problem(topology, kind, model);
  const uint32_t ranks = topology.num_endpoints();
  std::vector<Counts::Entry> entries;
  for (uint32_t s = 0; s < ranks; ++s)
    for (uint32_t t = 0; t < ranks; ++t) entries.push_back({Rank{s}, Rank{t}, (3 * s + 5 * t) % 4});
  return counted_problem(topology, Counts(ranks, std::move(entries)), model);
}

void add_row(std::string_view algorithm, const Problem& problem, std::string_view model, Table& table) {
  const Compiled made = compile(problem, {.algorithm = std::string(algorithm), .stored = false});
  const std::optional<uint64_t>& predicted = made.head.stated_figures.steps;
  const Bound bound = made.least_steps();
  const auto least = static_cast<uint64_t>(bound.value.ceil());
  const uint64_t steps = made.verdict.figures.steps;
  table.row({fmt::format("`{}`", problem.topology().name()), std::string(model),
             predicted ? fmt::format("{}", *predicted) : "-", fmt::format("{}", steps),
             fmt::format("{}", least), std::string(bound.name),
             made.optimal() ? "optimal" : fmt::format("+{}", steps - least)});
}

std::string section(const Algorithm& card) {
  std::string out = fmt::format("\n### {}\n\n{}.\n\n", card.name, card.summary);
  if (!card.remarks.empty()) out += fmt::format("- remarks: {}\n", card.remarks);
  if (!card.source.empty()) out += fmt::format("- source: {}\n", card.source);

  Table table({"network", "model", "predicted steps", "measured", "lower bound", "by", "quality"});
  for (const SampleModel& sample : sample_models()) {
    for (const std::string_view network : kNetworks) {
      const Problem problem = sample_problem(parse_topology(network), card.collective, sample.model);
      if (!card.applies(problem).applies) continue;
      try {
        add_row(card.name, problem, sample.name, table);
      } catch (const InputError&) {
        // It had to search to know that it does not apply.
      }
    }
  }
  return table.empty() ? out : out + "\n" + table.markdown();
}

std::string model_only() {
  Table table({"name", "collective", "what it is", "cost", "source"});
  for (const PublishedCost* card : published_costs()) {
    table.row({std::string(card->name), std::string(name_of(card->collective)), std::string(card->summary),
               std::string(card->formula), std::string(card->source)});
  }
  return "\n## Model only\n\n"
         "What published algorithms cost that are not built here: formulas taken over from papers, for\n"
         "comparison. They make no plan, and nothing of them was judged.\n\n" +
         table.markdown();
}

std::string nodes_by_themselves() {
  Table table({"algorithm", "a node", "knows"});
  for (const LocalProgram* program : local_program_catalog())
    table.row({std::string(program->name), std::string(program->rule), std::string(program->knows)});
  return "\n## Nodes that run by themselves\n\n"
         "`quadrille run --local` makes no plan: every node, routers too, decides from its address and a small "
         "table what it\n"
         "sends. Step by step that is the plan of the algorithm, which a test compares.\n\n" +
         table.markdown();
}

}  // namespace

std::string algorithms_page() {
  std::string out =
      "# Algorithms\n\n"
      "What each algorithm is, and on sample networks: the steps that it predicts, the steps that the judge "
      "counted, and the\n"
      "best lower bound. A dash means that it predicts no number before the plan exists. This page is written by\n"
      "`quadrille docs algorithms`.\n";
  for (const CollectiveKind kind : listed_collectives()) {
    std::string sections;
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective == kind) sections += section(*card);
    }
    if (sections.empty()) continue;
    out += fmt::format("\n## {}\n{}{}", name_of(kind),
                       kind == CollectiveKind::kAlltoallv ? kSampleCounts : std::string_view(), sections);
  }
  return out + nodes_by_themselves() + model_only();
}

}  // namespace quadrille
