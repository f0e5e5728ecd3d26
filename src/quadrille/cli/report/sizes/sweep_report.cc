#include "quadrille/cli/report/sizes/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/model_report.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

const SizedPlan& best_of(const NetworkSweep& made, const SizeRow& row) { return made.sweep.plans[row.best]; }

// Rows first to last - 1 have the same best algorithm.
struct Region {
  size_t first;
  size_t last;
};

std::vector<Region> regions_of(const NetworkSweep& made) {
  std::vector<Region> out;
  const std::vector<SizeRow>& rows = made.sweep.rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!out.empty() && best_of(made, rows[i]).algorithm == best_of(made, rows[out.back().first]).algorithm)
      out.back().last = i + 1;
    else
      out.push_back({i, i + 1});
  }
  return out;
}

std::string pieces_text(const NetworkSweep& made, const Region& region) {
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

constexpr std::array<std::string_view, 8> kColours = {"#1f4e9c", "#c4521b", "#2e7d32", "#7b3fa0",
                                                      "#b08a00", "#00838f", "#ad1457", "#5d4037"};

// The time of an algorithm, in the pieces that are best.
double time_of(const NetworkSweep& made, std::string_view algorithm, uint64_t bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const SizedPlan& plan : made.sweep.plans) {
    if (plan.algorithm == algorithm && !plan.model_only)
      least = std::min(least, plan.time(made.problem.model().cost, bytes));
  }
  return least;
}

double highest_at(const NetworkSweep& made, const std::vector<std::string>& winners, double bytes) {
  double out = 0;
  for (const std::string& name : winners)
    out = std::max(out, time_of(made, name, static_cast<uint64_t>(bytes)));
  return out;
}

// From the least bound to the longest curve.
struct Span {
  double least;
  double most;
  // How far up, on a logarithmic axis.
  [[nodiscard]] double share(double time) const {
    return least > 0 && most > least && time > 0 ? std::log(time / least) / std::log(most / least) : 0.0;
  }
};

Span times_of(const NetworkSweep& made, const std::vector<std::string>& winners) {
  Span out{std::numeric_limits<double>::infinity(), 0.0};
  for (const SizeRow& row : made.sweep.rows) {
    if (row.bound.time > 0) out.least = std::min(out.least, row.bound.time);
    out.most = std::max(out.most, highest_at(made, winners, static_cast<double>(row.bytes)));
  }
  return out;
}

std::string shortened(const std::string& name) {
  constexpr size_t kMost = 42;
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

// One network: curves of the algorithms that are the best somewhere, thin over all sizes; the best and the bound.
std::string picture_of(const NetworkSweep& made, size_t number) {
  const std::vector<SizeRow>& rows = made.sweep.rows;
  std::vector<std::string> winners;
  for (const SizeRow& row : rows) {
    const std::string& name = best_of(made, row).algorithm;
    if (std::ranges::find(winners, name) == winners.end()) winners.push_back(name);
  }
  std::string out = fmt::format("$sweep{} << END\n", number);
  for (const SizeRow& row : rows) {
    if (row.bytes == 0) continue;
    out += fmt::format("{} {:.9g} {:.9g}", row.bytes, row.time, row.bound.time);
    for (const std::string& name : winners) out += fmt::format(" {:.9g}", time_of(made, name, row.bytes));
    out += "\n";
  }
  out += "END\n";
  out += fmt::format("set title {}\n",
                     gnuplot_string(made.problem.title() + ", " + describe(made.problem.model())));
  // The part of each algorithm has a tint; its name stands where the curves leave room, above or below.
  out += "unset arrow\nunset label\nunset object\n";
  const std::vector<Region> regions = regions_of(made);
  const Span times = times_of(made, winners);
  const double first = static_cast<double>(std::max<uint64_t>(1, rows.front().bytes));
  const double last = static_cast<double>(std::max<uint64_t>(1, rows.back().bytes));
  const auto between = [](uint64_t a, uint64_t b) {
    return std::sqrt(static_cast<double>(std::max<uint64_t>(1, a)) *
                     static_cast<double>(std::max<uint64_t>(1, b)));
  };
  for (size_t r = 0; r < regions.size(); ++r) {
    const Region& region = regions[r];
    const std::string& name = best_of(made, rows[region.first]).algorithm;
    const std::string_view colour =
        kColours[static_cast<size_t>(std::ranges::find(winners, name) - winners.begin()) % kColours.size()];
    const double left = r == 0 ? first : between(rows[region.first - 1].bytes, rows[region.first].bytes);
    const double right =
        r + 1 == regions.size() ? last : between(rows[region.last - 1].bytes, rows[region.last].bytes);
    if (left < right) {
      out += fmt::format(
          "set object rect from {:.6g}, graph 0 to {:.6g}, graph 1 behind fc rgb '{}' fs solid 0.07 noborder\n",
          left, right, colour);
    }
    const double middle = std::sqrt(left * right);
    const bool above = times.share(highest_at(made, winners, middle)) < 0.62;
    out += fmt::format("set label {} at {:.6g}, graph {} rotate by 90 {} font ',9' tc rgb '{}'\n",
                       gnuplot_string(shortened(name)), middle, above ? "0.98" : "0.02",
                       above ? "right" : "left", colour);
  }
  if (first < last) out += fmt::format("set xrange [{:.6g}:{:.6g}]\n", first, last);
  // Room for the key below.
  out += fmt::format("set bmargin {}\n", 5 + (winners.size() + 3) / 2);
  out +=
      fmt::format("plot $sweep{} using 1:2 with lines lw 6 lc rgb '#cccccc' title 'the best', \\\n", number);
  for (size_t w = 0; w < winners.size(); ++w) {
    out += fmt::format("  '' using 1:{} with lines lw 1.4 lc rgb '{}' title {}, \\\n", w + 4,
                       kColours[w % kColours.size()], gnuplot_string(shortened(winners[w])));
  }
  out += "  '' using 1:2 with points pt 7 ps 0.5 lc rgb '#444444' notitle, \\\n";
  out += "  '' using 1:3 with lines dt 2 lw 1.6 lc rgb '#000000' title 'no plan takes less'\n";
  return out;
}

}  // namespace

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
  for (const Region& region : regions_of(made)) {
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

std::string sweep_plot(std::span<const NetworkSweep> all, const std::string& format) {
  const size_t columns = all.size() > 1 ? 2 : 1;
  const size_t lines = (all.size() + columns - 1) / columns;
  std::string out = fmt::format("set terminal {} size {},{} noenhanced background 'white' font ',11'\n",
                                format == "svg" ? "svg" : "pngcairo", 900 * columns, 640 * lines);
  out += fmt::format("set multiplot layout {},{}\n", lines, columns);
  out +=
      "set logscale x 2\nset logscale y 10\nset grid lt 1 lc rgb '#dddddd'\nset key below maxcols 2 font ',10'\n";
  // 2^10, 2^20, ... have names.
  out +=
      "set xtics ('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 4096, '64 KiB' 65536, '1 MiB' 1048576, '16 MiB' 16777216, "
      "'256 MiB' 268435456, '4 GiB' 4294967296, '64 GiB' 68719476736)\n";
  const std::string_view unit = all.empty() ? "" : unit_of(all.front().problem);
  if (!unit.empty()) {
    out +=
        "set ytics ('1 ns' 1e-3, '10 ns' 1e-2, '100 ns' 0.1, '1 us' 1, '10 us' 10, '100 us' 100, '1 ms' 1e3, '10 ms' 1e4, "
        "'100 ms' 1e5, '1 s' 1e6, '10 s' 1e7, '100 s' 1e8, '1000 s' 1e9)\n";
  }
  out += "set xlabel 'message'\nset ylabel 'time'\n";
  for (size_t i = 0; i < all.size(); ++i) out += picture_of(all[i], i);
  return out + "unset multiplot\n";
}

}  // namespace quadrille
