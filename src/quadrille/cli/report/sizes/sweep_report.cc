#include "quadrille/cli/report/sizes/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/model_report.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

const SizedPlan& best_of(const NetworkSweep& made, const SizeRow& row) { return made.sweep.plans[row.best]; }

std::string pieces_text(const NetworkSweep& made, const SweepRegion& region) {
  uint32_t least = UINT32_MAX;
  uint32_t most = 0;
  for (size_t i = region.first; i < region.last; ++i) {
    const uint32_t pieces = best_of(made, made.sweep.rows[i]).pieces;
    least = std::min(least, pieces);
    most = std::max(most, pieces);
  }
  if (least == most) return plural(least, "piece");
  return fmt::format("{} to {} pieces", with_thousands(least), with_thousands(most));
}

std::string simulated_csv(const SimulatedRow& row) {
  if (!row.time) return ",,,,,";
  return fmt::format(",{:.12g},{:.12g},{:.12g},{:.12g},{}", *row.time, row.heads, row.flits, row.rest,
                     !row.meets_without   ? ""
                     : *row.meets_without ? "yes"
                                          : "no");
}

Json simulated_json(const SimulatedRow& row) {
  Json out = Json::object();
  if (!row.time) return std::move(out.set("why_not", row.why_not));
  out.set("time", *row.time).set("heads", row.heads).set("flits", row.flits).set("waiting", row.rest);
  if (row.meets_without) out.set("meets_without_barriers", *row.meets_without);
  return out;
}

double ratio(const SizeRow& row) { return row.bound.time > 0 ? row.time / row.bound.time : 0.0; }

std::string_view unit_of(const Problem& problem) { return problem.model().cost.in_microseconds ? "us" : ""; }

}  // namespace

std::vector<SweepRegion> regions_of(const NetworkSweep& made) {
  std::vector<SweepRegion> out;
  const std::vector<SizeRow>& rows = made.sweep.rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!out.empty() && best_of(made, rows[i]).algorithm == best_of(made, rows[out.back().first]).algorithm)
      out.back().last = i + 1;
    else
      out.push_back({i, i + 1});
  }
  return out;
}

std::string sweep_table(const NetworkSweep& made) {
  const std::string_view unit = unit_of(made.problem);
  std::vector<std::string> header = {"message", unit.empty() ? "time" : fmt::format("time, {}", unit)};
  if (!made.simulated.empty()) header.insert(header.end(), {"simulated", "/ time"});
  header.insert(header.end(), {"/ bound", "pieces", "start-ups", "rounds", "algorithm"});
  Table table(std::move(header));
  for (size_t i = 0; i < made.sweep.rows.size(); ++i) {
    const SizeRow& row = made.sweep.rows[i];
    const SizedPlan& plan = best_of(made, row);
    std::string name = plan.algorithm;
    if (row.next) {
      const SizedPlan& next = made.sweep.plans[*row.next];
      const double time = next.time(made.problem.model().cost, row.bytes);
      if (row.time > 0 && time < 1.0005 * row.time) name += fmt::format("; as fast: {}", next.algorithm);
      if (row.time > 0 && time >= 1.0005 * row.time)
        name += fmt::format("; next: {}, {:.4g} times that", next.algorithm, time / row.time);
    }
    std::vector<std::string> cells = {bytes_text(row.bytes), fmt::format("{:.6g}", row.time)};
    if (!made.simulated.empty()) {
      const std::optional<double> time = made.simulated[i].time;
      cells.push_back(time ? fmt::format("{:.6g}", *time) : "-");
      cells.push_back(time && row.time > 0 ? fmt::format("{:.3f}", *time / row.time) : "-");
    }
    cells.insert(cells.end(),
                 {row.bound.time > 0 ? fmt::format("{:.3f}", ratio(row)) : "-", with_thousands(plan.pieces),
                  with_thousands(plan.start_ups), with_thousands(plan.rounds), name});
    table.row(std::move(cells));
  }
  return table.text();
}

std::string regions_text(const NetworkSweep& made) {
  Table table({"", ""});
  for (const SweepRegion& region : regions_of(made)) {
    const std::vector<SizeRow>& rows = made.sweep.rows;
    const std::string first = bytes_text(rows[region.first].bytes);
    const std::string last = bytes_text(rows[region.last - 1].bytes);
    table.row(
        {first == last ? first : fmt::format("{} to {}", first, last),
         fmt::format("{} in {}", best_of(made, rows[region.first]).algorithm, pieces_text(made, region))});
  }
  return table.text();
}

std::string sweep_csv_header(bool simulated) {
  return fmt::format(
      "collective,network,bytes,algorithm,pieces,start_ups,rounds,time,lower_bound,next,next_time{},{}\n",
      simulated ? ",simulated,heads,flits,waiting,meets_without_barriers" : "", model_csv_header());
}

std::string sweep_csv(const NetworkSweep& made) {
  std::string out;
  for (size_t i = 0; i < made.sweep.rows.size(); ++i) {
    const SizeRow& row = made.sweep.rows[i];
    const SizedPlan& plan = best_of(made, row);
    const SizedPlan* const next = row.next ? &made.sweep.plans[*row.next] : nullptr;
    out += fmt::format(
        "{},{},{},{},{},{},{},{:.12g},{:.12g},{},{}", made.problem.collective().name(),
        csv_word(made.problem.topology().name()), row.bytes, csv_word(plan.algorithm), plan.pieces,
        plan.start_ups, plan.rounds, row.time, row.bound.time,
        next == nullptr ? "" : csv_word(next->algorithm),
        next == nullptr ? "" : fmt::format("{:.12g}", next->time(made.problem.model().cost, row.bytes)));
    if (!made.simulated.empty()) out += simulated_csv(made.simulated[i]);
    out += "," + model_csv(made.problem.model()) + "\n";
  }
  return out;
}

Json sweep_json(const NetworkSweep& made) {
  Json out = Json::object();
  const auto json_of = [](const SizedPlan& plan) {
    Json one = Json::object();
    one.set("algorithm", plan.algorithm)
        .set("pieces", plan.pieces)
        .set("start_ups", plan.start_ups)
        .set("critical_blocks", plan.rounds);
    return one;
  };
  Json rows = Json::array();
  for (size_t i = 0; i < made.sweep.rows.size(); ++i) {
    const SizeRow& row = made.sweep.rows[i];
    Json one = json_of(best_of(made, row));
    one.set("bytes", row.bytes)
        .set("time", row.time)
        .set("lower_bound_time", row.bound.time)
        .set("lower_bound_time_by", row.bound.to_text());
    if (row.next) {
      const SizedPlan& next = made.sweep.plans[*row.next];
      one.set("next", next.algorithm).set("next_time", next.time(made.problem.model().cost, row.bytes));
    }
    if (!made.simulated.empty()) one.set("simulated", simulated_json(made.simulated[i]));
    rows.push(std::move(one));
  }
  out.set("topology", made.problem.topology().name())
      .set("collective", made.problem.collective().name())
      .set("model", model_json(made.problem.model()))
      .set("machine", machine_json(made.problem.model().cost))
      .set("costs", costs_json(made.problem.model().cost))
      .set("time_unit", time_unit_json(made.problem.model().cost))
      .set("sizes", std::move(rows));
  return out;
}

}  // namespace quadrille
