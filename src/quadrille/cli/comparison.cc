#include "quadrille/cli/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/choice.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/frontier.h"
#include "quadrille/cli/rearrangement.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

void add(std::vector<ComparedCost>& out, const Problem& problem, uint64_t block_bytes, const Choice& choice) {
  const Claim& claim = choice.claim;
  if (!claim.start_ups || !claim.critical_blocks) return;
  std::optional<uint64_t> rearranged = choice.rearranged();
  if (!rearranged && rearranging_costs(problem)) rearranged = measured_rearrangement(problem, choice);
  out.push_back({choice.name(), false, *claim.start_ups, *claim.critical_blocks, rearranged,
                 time_of(problem.model().cost, *claim.start_ups, *claim.critical_blocks,
                         rearranged.value_or(0), block_bytes)});
}

}  // namespace

std::vector<ComparedCost> compare_costs(const Problem& problem, uint64_t block_bytes) {
  require_two_figures(problem, "--compare");
  std::vector<ComparedCost> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind() || !serves(*card, problem).applies) continue;
    if (card->members == nullptr) {
      add(out, problem, block_bytes, {card, "", card->claimed(problem)});
      continue;
    }
    const std::vector<Member> members = card->members(problem);
    const Member& member = cheapest(members, problem, block_bytes);
    add(out, problem, block_bytes, {card, "", member.claim, member.name});
  }
  for (const PublishedCost* card : published_costs()) {
    if (card->collective != problem.collective().kind() || card->refuses(problem)) continue;
    const CostParts parts = card->cost(problem);
    if (!parts.critical_blocks) continue;
    out.push_back({std::string(card->name), true, parts.start_ups, *parts.critical_blocks, parts.rearranged,
                   parts.time(problem.model().cost, block_bytes)});
  }
  const bool matters = rearranging_costs(problem);
  std::stable_sort(out.begin(), out.end(), [=](const ComparedCost& a, const ComparedCost& b) {
    const bool a_known = !matters || a.rearranged;
    const bool b_known = !matters || b.rearranged;
    if (a_known != b_known) return a_known;
    return a.time != b.time ? a.time < b.time : a.blocks < b.blocks;
  });
  return out;
}

std::string comparison_table(const Problem& problem, const std::vector<ComparedCost>& costs) {
  const auto least = static_cast<double>(best_bound(problem, BoundOn::kCriticalBlocks).value.ceil());
  const bool with_rearrangement = rearranging_costs(problem);
  std::vector<std::string> head{"start-ups", "blocks", "/ bound", "time", "/ least", "algorithm"};
  if (with_rearrangement) head.insert(head.begin() + 3, "rearranged");
  Table table(head);
  for (const ComparedCost& c : costs) {
    const bool counted = c.rearranged || !with_rearrangement;
    std::vector<std::string> row{
        with_thousands(c.start_ups),
        with_thousands(c.blocks),
        least > 0 ? fmt::format("{:.3f}", static_cast<double>(c.blocks) / least) : "-",
        fmt::format("{:.8g}", c.time),
        counted && costs.front().time > 0 ? fmt::format("{:.2f}", c.time / costs.front().time) : "-",
        c.name + (c.model_only ? " (model only)" : "")};
    if (with_rearrangement) row.insert(row.begin() + 3, c.rearranged ? with_thousands(*c.rearranged) : "-");
    if (!counted) row.back() += ": rearrangement not counted";
    table.row(row);
  }
  return table.text();
}

void report_comparison(const Problem& problem, const std::vector<ComparedCost>& costs, Report& report) {
  Json all = Json::array();
  for (const ComparedCost& c : costs) {
    Json one = Json::object();
    one.set("algorithm", c.name)
        .set("model_only", c.model_only)
        .set("start_ups", c.start_ups)
        .set("critical_blocks", c.blocks)
        .set("time", c.time);
    if (rearranging_costs(problem)) one.set("rearranged", c.rearranged ? Json(*c.rearranged) : Json());
    all.push(std::move(one));
  }
  report.add_json("compared", std::move(all));
}

}  // namespace quadrille
