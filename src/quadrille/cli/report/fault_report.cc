#include "quadrille/cli/report/fault_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "quadrille/base/input_error.h"
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
  if (trial.alike() > 1) out += fmt::format(", and {} like it", with_thousands(trial.alike() - 1));
  if (trial.cut_off.empty()) return out;
  constexpr size_t kMost = 3;
  const std::vector<std::string> some(
      trial.cut_off.begin(),
      trial.cut_off.begin() + static_cast<ptrdiff_t>(std::min(kMost, trial.cut_off.size())));
  out += fmt::format("; cuts off {}", join(some));
  if (trial.cut_off.size() > kMost) out += fmt::format(" and {} more", trial.cut_off.size() - kMost);
  return out;
}

// How many cases the trials stand for.
uint64_t weight_of(std::span<const FaultTrial> trials) {
  uint64_t out = 0;
  for (const FaultTrial& trial : trials) out += trial.alike();
  return out;
}

// Trials are sorted so: those that leave every node connected, whose collective is the healthy one's, and the others.
std::span<const FaultTrial> whole_ones(const FaultSweep& sweep) {
  const auto end = std::ranges::find_if(sweep.trials, [](const FaultTrial& t) { return !t.cut_off.empty(); });
  return {sweep.trials.begin(), end};
}
std::span<const FaultTrial> parted_ones(const FaultSweep& sweep) {
  return std::span(sweep.trials).subspan(whole_ones(sweep).size());
}

// Names of loans may be long, and so may be the faults beside them.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 36;
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

std::string loss_text(double loss) {
  return fmt::format("{:.1f} % {}", std::abs(loss), loss > -0.05 ? "longer" : "shorter");
}

// How many are at their bound, and what they cost on average and at worst.
std::string costs_of(const FaultSweep& sweep, std::span<const FaultTrial> trials) {
  double sum = 0;
  uint64_t optimal = 0;
  for (const FaultTrial& trial : trials) {
    sum += loss_of(sweep, trial) * static_cast<double>(trial.alike());
    optimal += trial.steps == trial.bound ? trial.alike() : 0;
  }
  const uint64_t all = weight_of(trials);
  const auto worst =
      std::ranges::max_element(trials, {}, [&](const FaultTrial& trial) { return loss_of(sweep, trial); });
  std::string out = fmt::format("{} on average, {:.1f} % at worst", loss_text(sum / static_cast<double>(all)),
                                loss_of(sweep, *worst));
  if (!sweep.healthy.time)
    out += fmt::format("; {} proved optimal",
                       optimal == all ? "all" : fmt::format("{} of them", with_thousands(optimal)));
  return out;
}

std::string summary(const Problem& problem, const FaultSweep& sweep) {
  const std::span<const FaultTrial> whole = whole_ones(sweep);
  const uint64_t parted = weight_of(parted_ones(sweep));
  std::string out = plural(weight_of(sweep.trials), "case") + " tried";
  if (sweep.unfinished > 0)
    out += fmt::format(" before it was interrupted, {} not", with_thousands(sweep.unfinished));
  if (parted > 0) {
    out += fmt::format(
        "; {} nodes off, and {} is among the others",
        whole.empty() ? (parted == 1 ? "it cuts" : "all of them cut")
                      : fmt::format("{} of them {}", with_thousands(parted), parted == 1 ? "cuts" : "cut"),
        problem.collective().name());
  }
  if (!whole.empty()) out += fmt::format("{}{}", parted > 0 ? "; the rest " : ": ", costs_of(sweep, whole));
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
      .set("alike", trial.alike())
      .set("like", list(trial.like))
      .set("ranks", trial.ranks)
      .set("cut_off", list(trial.cut_off))
      .set("algorithm", trial.algorithm)
      .set("steps", trial.steps)
      .set("lower_bound", trial.bound);
  if (trial.time) out.set("time", *trial.time);
  // Among fewer nodes it is another collective.
  if (trial.cut_off.empty()) out.set("loss_percent", loss_of(sweep, trial));
  return out;
}

}  // namespace

std::string fault_text(const Problem& problem, const FaultSweep& sweep, size_t rows) {
  const bool in_time = sweep.healthy.time.has_value();
  const std::string time_column =
      problem.model().cost.in_microseconds ? std::string("time, us") : std::string("time");
  std::string out = fmt::format("healthy     {} by {}, at least {}{}\n", plural(sweep.healthy.steps, "step"),
                                sweep.healthy.algorithm, with_thousands(sweep.healthy.bound),
                                in_time ? fmt::format("; {} {:.6g}", time_column, *sweep.healthy.time) : "");
  if (sweep.trials.empty()) {
    return out + (sweep.unfinished > 0
                      ? fmt::format("faults      interrupted before any of {} was finished\n",
                                    plural(sweep.unfinished, "case"))
                      : "faults      none that leaves the root\n");
  }
  out += fmt::format("faults      {}\n", wrap(summary(problem, sweep), 12));
  const auto add_table = [&](std::span<const FaultTrial> trials, bool parted) {
    if (trials.empty()) return;
    std::vector<std::string> header = {"steps", "bound", parted ? "ranks" : "loss", "algorithm",
                                       "out of order"};
    if (in_time) header.insert(header.begin(), time_column);
    Table table(header);
    for (const FaultTrial& trial : trials.first(std::min(rows, trials.size()))) {
      std::vector<std::string> row = {
          with_thousands(trial.steps), with_thousands(trial.bound),
          parted ? with_thousands(trial.ranks) : fmt::format("{:.1f} %", loss_of(sweep, trial)),
          shortened(trial.algorithm), names_of(trial)};
      if (in_time) row.insert(row.begin(), fmt::format("{:.6g}", trial.time.value_or(0)));
      table.row(std::move(row));
    }
    out += "\n" + table.text();
    if (rows < trials.size())
      out += fmt::format("and {} more that {}; --csv lists all\n", with_thousands(trials.size() - rows),
                         parted ? "cut off no more" : "cost less");
  };
  add_table(whole_ones(sweep), false);
  add_table(parted_ones(sweep), true);
  return out;
}

std::string fault_csv(const FaultSweep& sweep) {
  std::string out = "faults,alike,ranks,cut_off,algorithm,steps,lower_bound,time,loss_percent,like\n";
  const auto line = [&](const FaultTrial& trial) {
    const std::string time = trial.time ? fmt::format("{:.12g}", *trial.time) : "";
    const std::string loss = trial.cut_off.empty() ? fmt::format("{:.6g}", loss_of(sweep, trial)) : "";
    return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_word(join(trial.faults, "; ")), trial.alike(),
                       trial.ranks, csv_word(join(trial.cut_off, "; ")), trial.algorithm, trial.steps,
                       trial.bound, time, loss, csv_word(join(trial.like, "; ")));
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
  if (sweep.unfinished > 0) out.set("unfinished", uint64_t{sweep.unfinished});
  return out;
}

std::string fault_plot(const Problem& problem, const FaultSweep& sweep, const std::string& format) {
  const bool in_time = sweep.healthy.time.has_value();
  const std::span<const FaultTrial> whole = whole_ones(sweep);
  if (whole.empty())
    throw InputError(
        "--plot: no case that was tried leaves all nodes connected, so there is nothing to compare");
  std::string out = fmt::format("set terminal {} size 900,560 noenhanced background 'white' font ',11'\n",
                                format == "svg" ? "svg" : "pngcairo");
  out += fmt::format("set title {}\n", gnuplot_string("what faults cost: " + problem.title() + ", " +
                                                      describe(problem.model())));
  out += "$faults << END\n";
  uint64_t place = 0;
  for (const FaultTrial& trial : whole) {
    const double bound = in_time ? cost_of(sweep.healthy) : static_cast<double>(trial.bound);
    out += fmt::format("{} {:.9g} {:.9g}\n", place, cost_of(trial), bound);
    place += trial.alike();
    if (trial.alike() > 1) out += fmt::format("{} {:.9g} {:.9g}\n", place - 1, cost_of(trial), bound);
  }
  out += "END\n";
  const double healthy = cost_of(sweep.healthy);
  const uint64_t parted = weight_of(parted_ones(sweep));
  out += fmt::format(
      "set grid lt 1 lc rgb '#dddddd'\nset key below\nset xlabel 'faults, the most expensive first{}'\nset ylabel '{}'\n",
      parted > 0 ? fmt::format(" ({} more cut nodes off)", with_thousands(parted)) : "",
      in_time ? (problem.model().cost.in_microseconds ? "time, us" : "time") : "steps");
  out += fmt::format("set xrange [-0.5:{}]\nset yrange [0:*]\n", static_cast<double>(place) - 0.5);
  out += "plot $faults using 1:2 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb '#1f4e9c' title 'plan', \\\n";
  if (!in_time)
    out += "  '' using 1:3 with lines dt 2 lw 1.6 lc rgb '#000000' title 'no plan takes less', \\\n";
  out += fmt::format("  {:.9g} with lines lw 1.2 lc rgb '#2e7d32' title 'healthy'\n", healthy);
  return out;
}

}  // namespace quadrille
