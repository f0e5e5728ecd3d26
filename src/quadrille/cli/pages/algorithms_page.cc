#include <fmt/format.h>

#include <array>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

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

void add_row(Prepared& plan, std::string_view model, Table& table) {
  const Problem& problem = plan.problem();
  const Prediction prediction = plan.prediction();
  Judge judge(problem);
  plan.generate(judge);
  const Verdict verdict = judge.finish();
  const Bound bound = best_bound(problem);
  const auto least = static_cast<uint64_t>(bound.value.ceil());
  const uint64_t steps = verdict.figures.steps;
  table.row({fmt::format("`{}`", problem.topology().name()), std::string(model),
             prediction.steps ? fmt::format("{}", *prediction.steps) : "-",
             verdict.passed() ? fmt::format("{}", steps) : "rejected", fmt::format("{}", least),
             std::string(bound.name), steps == least ? "optimal" : fmt::format("+{}", steps - least)});
}

std::string section(const Algorithm& card) {
  std::string out = fmt::format("\n### {}\n\n{}.\n\n", card.name, card.summary);
  if (!card.remarks.empty()) out += fmt::format("- remarks: {}\n", card.remarks);
  if (!card.source.empty()) out += fmt::format("- source: {}\n", card.source);

  Table table({"network", "model", "predicted steps", "measured", "lower bound", "by", "quality"});
  for (const SampleModel& sample : sample_models()) {
    for (const std::string_view network : kNetworks) {
      const Problem problem = standard_problem(parse_topology(network), card.collective, sample.model);
      const Preparation ready = prepare(card, problem);
      if (ready.fits.applies) add_row(*cheapest(ready.plans), sample.name, table);
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
  for (const CollectiveKind kind : kCollectiveKinds) {
    std::string sections;
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective == kind) sections += section(*card);
    }
    if (!sections.empty()) out += fmt::format("\n## {}\n{}", name_of(kind), sections);
  }
  return out + nodes_by_themselves() + model_only();
}

}  // namespace quadrille
