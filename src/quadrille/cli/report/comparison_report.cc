#include "quadrille/cli/report/comparison_report.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/comparison/frontier.h"

namespace quadrille {

std::string steps_table(const Problem& problem, const StepComparison& found) {
  const auto least = static_cast<double>(best_bound(problem).value.ceil());
  const auto over = [](uint64_t figure, double bound) {
    return bound > 0 ? fmt::format("{:.3f}", static_cast<double>(figure) / bound) : "-";
  };
  // Where fewer steps are paid for in blocks, what they cost.
  const bool with_blocks = trades_two_figures(problem);
  const double least_blocks =
      with_blocks ? static_cast<double>(best_bound(problem, BoundOn::kCriticalBlocks).value.ceil()) : 0;
  std::vector<std::string> head{"steps", "/ bound"};
  if (with_blocks) head.insert(head.end(), {"blocks", "/ bound"});
  head.emplace_back("algorithm");
  Table table(head);
  for (const ComparedSteps& c : found.plans) {
    std::vector<std::string> row{with_thousands(c.steps), over(c.steps, least)};
    if (with_blocks) {
      row.push_back(c.blocks ? with_thousands(*c.blocks) : "-");
      row.push_back(c.blocks ? over(*c.blocks, least_blocks) : "-");
    }
    row.push_back(c.name + (c.model_only ? " (model only)" : ""));
    table.row(std::move(row));
  }
  std::string out = table.text();
  if (!found.not_asked.empty())
    out += "\n" + wrap(fmt::format("Known only with their plans: {}.", join(found.not_asked)), 0) + "\n";
  return out;
}

void report_steps_comparison(const Problem& problem, const StepComparison& found, Report& report) {
  const Bound bound = best_bound(problem);
  report.add("lower bound",
             fmt::format("{} by {}: {}", with_thousands(static_cast<uint64_t>(bound.value.ceil())),
                         bound.name, bound.witness),
             bound.value.ceil());
  Json all = Json::array();
  for (const ComparedSteps& c : found.plans) {
    Json one = Json::object();
    one.set("algorithm", c.name).set("model_only", c.model_only).set("steps", c.steps);
    if (trades_two_figures(problem)) one.set("critical_blocks", c.blocks ? Json(*c.blocks) : Json());
    all.push(std::move(one));
  }
  Json not_asked = Json::array();
  for (const std::string& name : found.not_asked) not_asked.push(name);
  report.add_json("compared", std::move(all));
  report.add_json("not_asked", std::move(not_asked));
}

}  // namespace quadrille
