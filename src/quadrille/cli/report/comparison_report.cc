#include "quadrille/cli/report/comparison_report.h"

#include <fmt/format.h>

#include <optional>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {

std::string comparison_table(const Problem& problem, const std::vector<ComparedCost>& costs) {
  const auto least = static_cast<double>(best_bound(problem, BoundOn::kCriticalBlocks).value.ceil());
  const bool with_rearrangement = rearranging_costs(problem);
  const bool with_hops = hops_cost(problem);
  const bool with_messages = messages_cost(problem);
  std::vector<std::string> head{"start-ups", "blocks", "/ bound"};
  if (with_hops) head.emplace_back("hops");
  if (with_rearrangement) head.emplace_back("rearranged");
  if (with_messages) head.emplace_back("further messages");
  for (const char* name : {"time", "/ least", "algorithm"}) head.emplace_back(name);
  Table table(head);
  const auto figure = [](const std::optional<uint64_t>& value) {
    return value ? with_thousands(*value) : "-";
  };
  for (const ComparedCost& c : costs) {
    std::vector<std::string> row{
        with_thousands(c.start_ups), with_thousands(c.blocks),
        least > 0 ? fmt::format("{:.3f}", static_cast<double>(c.blocks) / least) : "-"};
    if (with_hops) row.push_back(figure(c.hops));
    if (with_rearrangement) row.push_back(figure(c.rearranged));
    if (with_messages) row.push_back(figure(c.further_messages));
    row.push_back(fmt::format("{:.8g}", c.time));
    row.push_back(c.counted(problem) && costs.front().time > 0
                      ? fmt::format("{:.2f}", c.time / costs.front().time)
                      : "-");
    row.push_back(c.name + (c.model_only ? " (model only)" : ""));
    if (with_hops && !c.hops) row.back() += ": propagation not counted";
    if (with_rearrangement && !c.rearranged) row.back() += ": rearrangement not counted";
    if (with_messages && !c.further_messages) row.back() += ": further messages not counted";
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
    if (hops_cost(problem)) one.set("critical_hops", c.hops ? Json(*c.hops) : Json());
    if (messages_cost(problem))
      one.set("further_messages", c.further_messages ? Json(*c.further_messages) : Json());
    if (rearranging_costs(problem)) one.set("rearranged", c.rearranged ? Json(*c.rearranged) : Json());
    all.push(std::move(one));
  }
  report.add_json("compared", std::move(all));
}

std::string steps_table(const Problem& problem, const StepComparison& found) {
  const auto least = static_cast<double>(best_bound(problem).value.ceil());
  Table table({"steps", "/ bound", "algorithm"});
  for (const ComparedSteps& c : found.plans) {
    table.row({with_thousands(c.steps),
               least > 0 ? fmt::format("{:.3f}", static_cast<double>(c.steps) / least) : "-",
               c.name + (c.model_only ? " (model only)" : "")});
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
    all.push(std::move(one));
  }
  Json not_asked = Json::array();
  for (const std::string& name : found.not_asked) not_asked.push(name);
  report.add_json("compared", std::move(all));
  report.add_json("not_asked", std::move(not_asked));
}

}  // namespace quadrille
