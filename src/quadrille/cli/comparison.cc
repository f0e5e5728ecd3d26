#include "quadrille/cli/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/choice.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/frontier.h"
#include "quadrille/cli/table.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

void add(std::vector<ComparedCost>& out, const Problem& problem, uint64_t block_bytes,
         const std::string& name, const Claim& claim) {
  if (!claim.start_ups || !claim.critical_blocks) return;
  out.push_back({name, false, *claim.start_ups, *claim.critical_blocks,
                 time_of(problem.model().cost, *claim.start_ups, *claim.critical_blocks,
                         claim.rearranged.value_or(0), block_bytes)});
}

}  // namespace

std::vector<ComparedCost> compare_costs(const Problem& problem, uint64_t block_bytes) {
  require_two_figures(problem, "--compare");
  std::vector<ComparedCost> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind() || !serves(*card, problem).applies) continue;
    if (card->members == nullptr) {
      add(out, problem, block_bytes, std::string(card->name), card->claimed(problem));
      continue;
    }
    const std::vector<Member> members = card->members(problem);
    const Member& member = cheapest(members, problem, block_bytes);
    add(out, problem, block_bytes, Choice{card, "", member.claim, member.name}.name(), member.claim);
  }
  for (const PublishedCost* card : published_costs()) {
    if (card->collective != problem.collective().kind() || card->refuses(problem)) continue;
    const CostParts parts = card->cost(problem);
    if (!parts.critical_blocks) continue;
    out.push_back({std::string(card->name), true, parts.start_ups, *parts.critical_blocks,
                   parts.time(problem.model().cost, block_bytes)});
  }
  std::stable_sort(out.begin(), out.end(), [](const ComparedCost& a, const ComparedCost& b) {
    return a.time != b.time ? a.time < b.time : a.blocks < b.blocks;
  });
  return out;
}

std::string comparison_table(const Problem& problem, const std::vector<ComparedCost>& costs) {
  const auto least = static_cast<double>(best_bound(problem, BoundOn::kCriticalBlocks).value.ceil());
  Table table({"start-ups", "blocks", "/ bound", "time", "/ least", "algorithm"});
  for (const ComparedCost& c : costs) {
    table.row({with_thousands(c.start_ups), with_thousands(c.blocks),
               least > 0 ? fmt::format("{:.3f}", static_cast<double>(c.blocks) / least) : "-",
               fmt::format("{:.8g}", c.time),
               costs.front().time > 0 ? fmt::format("{:.2f}", c.time / costs.front().time) : "-",
               c.name + (c.model_only ? " (model only)" : "")});
  }
  return table.text();
}

void report_comparison(const std::vector<ComparedCost>& costs, Report& report) {
  Json all = Json::array();
  for (const ComparedCost& c : costs) {
    Json one = Json::object();
    one.set("algorithm", c.name)
        .set("model_only", c.model_only)
        .set("start_ups", c.start_ups)
        .set("critical_blocks", c.blocks)
        .set("time", c.time);
    all.push(std::move(one));
  }
  report.add_json("compared", std::move(all));
}

}  // namespace quadrille
