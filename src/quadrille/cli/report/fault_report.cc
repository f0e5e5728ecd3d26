#include "quadrille/cli/report/fault_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

// What a trial takes, in steps or, where sizes are given, in time.
double cost_of(const FaultTrial& trial) { return trial.time.value_or(static_cast<double>(trial.steps)); }

double loss_of(const FaultSweep& sweep, const FaultTrial& trial) {
  const double healthy = cost_of(sweep.healthy);
  return healthy > 0 ? 100.0 * (cost_of(trial) / healthy - 1.0) : 0.0;
}

std::string names_of(const FaultTrial& trial) {
  std::string out = join(trial.faults);
  if (trial.alike > 1) out += fmt::format(", and {} like it", with_thousands(trial.alike - 1));
  if (trial.cut_off.empty()) return out;
  constexpr size_t kMost = 3;
  const std::vector<std::string> some(
      trial.cut_off.begin(),
      trial.cut_off.begin() + static_cast<ptrdiff_t>(std::min(kMost, trial.cut_off.size())));
  out += fmt::format("; cuts off {}", join(some));
  if (trial.cut_off.size() > kMost) out += fmt::format(" and {} more", trial.cut_off.size() - kMost);
  return out;
}

uint64_t weight_of(const FaultSweep& sweep) {
  uint64_t out = 0;
  for (const FaultTrial& trial : sweep.trials) out += trial.alike;
  return out;
}

// Names of loans may be long, and so may be the faults beside them.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 36;
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

// How many are at their bound, and what they cost on average and at worst.
std::string summary(const Problem& problem, const FaultSweep& sweep) {
  double sum = 0;
  uint64_t optimal = 0;
  uint64_t cutting = 0;
  for (const FaultTrial& trial : sweep.trials) {
    sum += loss_of(sweep, trial) * static_cast<double>(trial.alike);
    optimal += trial.steps == trial.bound ? trial.alike : 0;
    cutting += trial.cut_off.empty() ? 0 : trial.alike;
  }
  const uint64_t all = weight_of(sweep);
  const auto worst = std::ranges::max_element(sweep.trials, {},
                                              [&](const FaultTrial& trial) { return loss_of(sweep, trial); });
  const bool in_time = sweep.healthy.time.has_value();
  std::string out = fmt::format("{} tried: {:.1f} % longer on average, {:.1f} % at worst",
                                plural(all, "case"), sum / static_cast<double>(all), loss_of(sweep, *worst));
  if (!in_time)
    out += fmt::format("; {} proved optimal",
                       optimal == all ? "all" : fmt::format("{} of them", with_thousands(optimal)));
  if (cutting > 0) {
    out += fmt::format("; in {} nodes are cut off, and {} is among the others", with_thousands(cutting),
                       problem.collective().name());
  }
  return out;
}

Json trial_json(const FaultSweep& sweep, const FaultTrial& trial) {
  Json out = Json::object();
  const auto list = [](const std::vector<std::string>& words) {
    Json all = Json::array();
    for (const std::string& word : words) all.push(word);
    return all;
  };
  out.set("faults", list(trial.faults))
      .set("alike", trial.alike)
      .set("ranks", trial.ranks)
      .set("cut_off", list(trial.cut_off))
      .set("algorithm", trial.algorithm)
      .set("steps", trial.steps)
      .set("lower_bound", trial.bound);
  if (trial.time) out.set("time", *trial.time);
  out.set("loss_percent", loss_of(sweep, trial));
  return out;
}

}  // namespace

std::string fault_text(const Problem& problem, const FaultSweep& sweep, size_t rows) {
  const bool in_time = sweep.healthy.time.has_value();
  const std::string_view unit = problem.model().cost.in_microseconds ? ", us" : "";
  std::string out =
      fmt::format("healthy     {} steps by {}, at least {}{}\n", with_thousands(sweep.healthy.steps),
                  sweep.healthy.algorithm, with_thousands(sweep.healthy.bound),
                  in_time ? fmt::format("; time{} {:.6g}", unit, *sweep.healthy.time) : "");
  if (sweep.trials.empty()) return out + "faults      none that leaves the root\n";
  out += fmt::format("faults      {}\n\n", wrap(summary(problem, sweep), 12));
  std::vector<std::string> header = {"steps", "bound", "loss"};
  if (in_time) header.insert(header.begin(), fmt::format("time{}", unit));
  header.emplace_back("algorithm");
  header.emplace_back("out of order");
  Table table(header);
  for (size_t i = 0; i < std::min(rows, sweep.trials.size()); ++i) {
    const FaultTrial& trial = sweep.trials[i];
    std::vector<std::string> row = {with_thousands(trial.steps), with_thousands(trial.bound),
                                    fmt::format("{:.1f} %", loss_of(sweep, trial))};
    if (in_time) row.insert(row.begin(), fmt::format("{:.6g}", trial.time.value_or(0)));
    row.push_back(shortened(trial.algorithm));
    row.push_back(names_of(trial));
    table.row(std::move(row));
  }
  out += table.text();
  if (rows < sweep.trials.size())
    out += fmt::format("and {} more that cost less; --csv lists all\n",
                       with_thousands(sweep.trials.size() - rows));
  return out;
}

std::string fault_csv(const FaultSweep& sweep) {
  std::string out = "faults,alike,ranks,cut_off,algorithm,steps,lower_bound,time,loss_percent\n";
  const auto line = [&](const FaultTrial& trial) {
    const std::string time = trial.time ? fmt::format("{:.12g}", *trial.time) : "";
    return fmt::format("{},{},{},{},{},{},{},{},{:.6g}\n", csv_word(join(trial.faults, "; ")), trial.alike,
                       trial.ranks, csv_word(join(trial.cut_off, "; ")), trial.algorithm, trial.steps,
                       trial.bound, time, loss_of(sweep, trial));
  };
  out += line(sweep.healthy);
  for (const FaultTrial& trial : sweep.trials) out += line(trial);
  return out;
}

Json fault_json(const Problem& problem, const FaultSweep& sweep) {
  Json trials = Json::array();
  for (const FaultTrial& trial : sweep.trials) trials.push(trial_json(sweep, trial));
  Json out = Json::object();
  out.set("topology", problem.topology().name())
      .set("collective", problem.collective().name())
      .set("model", describe(problem.model()))
      .set("time_unit", problem.model().cost.in_microseconds ? Json("us") : Json())
      .set("healthy", trial_json(sweep, sweep.healthy))
      .set("trials", std::move(trials));
  return out;
}

std::string fault_plot(const Problem& problem, const FaultSweep& sweep, const std::string& format) {
  const bool in_time = sweep.healthy.time.has_value();
  std::string out = fmt::format("set terminal {} size 900,560 noenhanced background 'white' font ',11'\n",
                                format == "svg" ? "svg" : "pngcairo");
  out += fmt::format("set title {}\n", gnuplot_string("what faults cost: " + problem.title() + ", " +
                                                      describe(problem.model())));
  out += "$faults << END\n";
  uint64_t place = 0;
  for (const FaultTrial& trial : sweep.trials) {
    const double bound = in_time ? cost_of(sweep.healthy) : static_cast<double>(trial.bound);
    out += fmt::format("{} {:.9g} {:.9g}\n", place, cost_of(trial), bound);
    place += trial.alike;
    if (trial.alike > 1) out += fmt::format("{} {:.9g} {:.9g}\n", place - 1, cost_of(trial), bound);
  }
  out += "END\n";
  const double healthy = cost_of(sweep.healthy);
  out += fmt::format(
      "set grid lt 1 lc rgb '#dddddd'\nset key below\nset xlabel 'faults, the most expensive first'\nset ylabel '{}'\n",
      in_time ? (problem.model().cost.in_microseconds ? "time, us" : "time") : "steps");
  out += fmt::format("set xrange [-0.5:{}]\nset yrange [0:*]\n", static_cast<double>(place) - 0.5);
  out += "plot $faults using 1:2 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb '#1f4e9c' title 'plan', \\\n";
  if (!in_time)
    out += "  '' using 1:3 with lines dt 2 lw 1.6 lc rgb '#000000' title 'no plan takes less', \\\n";
  out += fmt::format("  {:.9g} with lines lw 1.2 lc rgb '#2e7d32' title 'healthy'\n", healthy);
  return out;
}

}  // namespace quadrille
