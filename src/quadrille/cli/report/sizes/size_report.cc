#include "quadrille/cli/report/sizes/size_report.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/sizes/size_ranking.h"

namespace quadrille {
namespace {

std::string time_text(const Problem& problem, double time) {
  return fmt::format("{:.6g}{}", time, problem.model().cost.in_microseconds ? " us" : "");
}

std::string figure(const std::optional<uint64_t>& value) { return value ? with_thousands(*value) : "-"; }

// What costs time and is not known.
std::string not_counted(const Problem& problem, const SizedPlan& plan) {
  std::string out;
  if (messages_cost(problem) && !plan.further_messages) out += ": further messages not counted";
  if (hops_cost(problem) && !plan.hops) out += ": propagation not counted";
  if (rearranging_costs(problem) && !plan.rearranged) out += ": rearrangement not counted";
  return out;
}

// "latency 9 us + messages 3 us + transfer 45.9 us".
std::string parts_text(const Problem& problem, const PlanTime& time) {
  std::string out = "latency " + time_text(problem, time.latency);
  if (messages_cost(problem)) out += " + messages " + time_text(problem, time.messages);
  if (hops_cost(problem)) out += " + propagation " + time_text(problem, time.propagation);
  out += " + transfer " + time_text(problem, time.transfer);
  if (rearranging_costs(problem))
    out += time.rearrangement ? " + rearrangement " + time_text(problem, *time.rearrangement)
                              : "; rearrangement not counted";
  return out;
}

std::string plan_text(const SizedPlan& plan) {
  return fmt::format("{} in {}", plan.algorithm, plural(plan.pieces, "piece"));
}

std::string figures_text(const SizedPlan& plan) {
  return fmt::format("{} and {}", plural(plan.start_ups, "start-up"), plural(plan.rounds, "round"));
}

Json json_of(const TimedPlan& timed) {
  Json parts = Json::object();
  parts.set("latency", timed.time.latency)
      .set("messages", timed.time.messages)
      .set("propagation", timed.time.propagation)
      .set("transfer", timed.time.transfer);
  if (timed.time.rearrangement) parts.set("rearrangement", *timed.time.rearrangement);
  Json out = Json::object();
  out.set("algorithm", timed.plan.algorithm)
      .set("pieces", timed.plan.pieces)
      .set("start_ups", timed.plan.start_ups)
      .set("critical_blocks", timed.plan.rounds)
      .set("time", timed.time.total)
      .set("time_parts", std::move(parts));
  return out;
}

// A size of four digits, so that boundaries between algorithms can be read.
std::string about(uint64_t bytes) {
  std::string exact = bytes_text(bytes);
  if (exact.size() <= 8) return exact;
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

// "4 start-ups more (4 us) and 10.3 us less on links": what the next one pays, and saves.
std::string difference_text(const Problem& problem, const TimedPlan& best, const TimedPlan& next) {
  const auto part = [&](std::string_view name, double ours, double theirs) {
    const double difference = theirs - ours;
    if (std::abs(difference) <= 1e-9 * (best.time.total + next.time.total)) return std::string();
    return fmt::format("{} {} of {}", time_text(problem, std::abs(difference)),
                       difference > 0 ? "more" : "less", name);
  };
  std::vector<std::string> parts;
  for (std::string text :
       {part("latency", best.time.latency, next.time.latency),
        part("messages", best.time.messages, next.time.messages),
        part("propagation", best.time.propagation, next.time.propagation),
        part("transfer", best.time.transfer, next.time.transfer),
        part("rearrangement", best.time.rearrangement.value_or(0), next.time.rearrangement.value_or(0))}) {
    if (!text.empty()) parts.push_back(std::move(text));
  }
  return parts.empty() ? "as fast, made with more effort or in more pieces" : join(parts);
}

}  // namespace

std::string size_comparison_table(const Problem& problem, uint64_t bytes, const SizeComparison& found) {
  std::vector<std::string> head{problem.model().cost.in_microseconds ? "time, us" : "time", "/ bound",
                                "pieces", "start-ups", "rounds"};
  if (messages_cost(problem)) head.emplace_back("further messages");
  if (hops_cost(problem)) head.emplace_back("hops");
  if (rearranging_costs(problem)) head.emplace_back("rearranged");
  head.emplace_back("algorithm");
  Table table(head);
  for (size_t i = 0; i < found.plans.size(); ++i) {
    const SizedPlan& plan = found.plans[i];
    const double time = plan.time(problem.model().cost, bytes);
    const std::string missing = not_counted(problem, plan);
    std::vector<std::string> row{
        fmt::format("{:.6g}", time),
        found.bound.time > 0 && missing.empty() ? fmt::format("{:.3f}", time / found.bound.time) : "-",
        with_thousands(plan.pieces), with_thousands(plan.start_ups), with_thousands(plan.rounds)};
    if (messages_cost(problem)) row.push_back(figure(plan.further_messages));
    if (hops_cost(problem)) row.push_back(figure(plan.hops));
    if (rearranging_costs(problem)) row.push_back(figure(plan.rearranged));
    row.push_back(plan.algorithm +
                  (plan.model_only     ? " (model only)"
                   : i == found.chosen ? " (chosen)"
                                       : "") +
                  missing);
    table.row(row);
  }
  std::string out = table.text();
  if (!found.not_asked.empty())
    out += "\n" + wrap(fmt::format("Known only with their plans: {}.", join(found.not_asked)), 0) + "\n";
  return out;
}

void report_size_comparison(const Problem& problem, uint64_t bytes, const SizeComparison& found,
                            Report& report) {
  report.add("message", bytes_text(bytes), bytes);
  report.add("lower bound",
             fmt::format("{}: {}", time_text(problem, found.bound.time), found.bound.to_text()),
             found.bound.time);
  Json all = Json::array();
  for (size_t i = 0; i < found.plans.size(); ++i) {
    const SizedPlan& plan = found.plans[i];
    Json one = Json::object();
    one.set("algorithm", plan.algorithm)
        .set("model_only", plan.model_only)
        .set("pieces", plan.pieces)
        .set("start_ups", plan.start_ups)
        .set("critical_blocks", plan.rounds)
        .set("time", plan.time(problem.model().cost, bytes))
        .set("counted", not_counted(problem, plan).empty());
    if (i == found.chosen) one.set("chosen", true);
    const auto add = [&](bool costs, const char* name, const std::optional<uint64_t>& value) {
      if (costs) one.set(name, value ? Json(*value) : Json());
    };
    add(messages_cost(problem), "further_messages", plan.further_messages);
    add(hops_cost(problem), "critical_hops", plan.hops);
    add(rearranging_costs(problem), "rearranged", plan.rearranged);
    all.push(std::move(one));
  }
  Json not_asked = Json::array();
  for (const std::string& name : found.not_asked) not_asked.push(name);
  report.add_json("compared", std::move(all));
  report.add_json("not_asked", std::move(not_asked));
}

void report_size_reasons(const Problem& problem, uint64_t bytes, const SizeReasons& why, Report& report) {
  report.add("message", bytes_text(bytes), bytes);
  report.add("best",
             fmt::format("{}, of {} that say how long they take: {}", plan_text(why.best.plan),
                         why.algorithms, figures_text(why.best.plan)),
             json_of(why.best));
  report.add_text("time", fmt::format("{}: {}", time_text(problem, why.best.time.total),
                                      parts_text(problem, why.best.time)));
  std::string bound = fmt::format("{}: {}", time_text(problem, why.bound.time), why.bound.to_text());
  if (why.bound.time > 0)
    bound += fmt::format("; the best takes {:.4g} times that", why.best.time.total / why.bound.time);
  report.add("lower bound", bound, why.bound.time);
  report.add_json("lower_bound_by", why.bound.to_text());
  std::string range;
  if (why.smaller.empty() && why.larger.empty()) {
    range = "for every size";
  } else if (why.smaller.empty()) {
    range = fmt::format("for up to {}; above it {}", about(why.to), why.larger);
  } else if (why.larger.empty()) {
    range = fmt::format("from {} on; below it {}", about(why.from), why.smaller);
  } else {
    range = fmt::format("from {} to {}; below it {}, above {}", about(why.from), about(why.to), why.smaller,
                        why.larger);
  }
  Json json = Json::object();
  json.set("from", why.from).set("to", why.larger.empty() ? Json() : Json(why.to));
  if (!why.smaller.empty()) json.set("smaller", why.smaller);
  if (!why.larger.empty()) json.set("larger", why.larger);
  report.add("is the best", range, std::move(json));
  if (!why.next) {
    report.add("next", "no other algorithm says how long it takes", Json());
    return;
  }
  const SizeReasons::Next& next = *why.next;
  report.add("next",
             fmt::format("{}, {}: {}", plan_text(next.plan.plan), time_text(problem, next.plan.time.total),
                         parts_text(problem, next.plan.time)),
             json_of(next.plan));
  report.add_text("which is", difference_text(problem, why.best, next.plan));
  std::vector<std::string> wins;
  if (next.wins_to) wins.push_back("for up to " + about(*next.wins_to));
  if (next.wins_from) wins.push_back("from " + about(*next.wins_from) + " on");
  report.add_text("it is faster", wins.empty() ? "for no size" : join(wins, " and "));
  report.add_json("next_wins_from", next.wins_from ? Json(*next.wins_from) : Json());
  report.add_json("next_wins_to", next.wins_to ? Json(*next.wins_to) : Json());
}

}  // namespace quadrille
