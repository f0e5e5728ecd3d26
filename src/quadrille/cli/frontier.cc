#include "quadrille/cli/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "quadrille/algorithms/choice.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

double ratio(uint64_t more_blocks, uint64_t fewer_blocks, uint64_t more_starts, uint64_t fewer_starts) {
  return static_cast<double>(more_blocks - fewer_blocks) / static_cast<double>(more_starts - fewer_starts);
}

void find_ranges(std::vector<FrontierPoint>& points) {
  for (FrontierPoint& p : points) {
    p.from = 0.0;
    p.to = std::numeric_limits<double>::infinity();
    for (const FrontierPoint& other : points) {
      if (other.start_ups > p.start_ups)
        p.from = std::max(p.from, ratio(p.blocks, other.blocks, other.start_ups, p.start_ups));
      if (other.start_ups < p.start_ups)
        p.to = std::min(p.to, ratio(other.blocks, p.blocks, p.start_ups, other.start_ups));
    }
  }
}

std::string range_text(const FrontierPoint& point) {
  if (point.from > point.to) return "never";
  if (std::isinf(point.to)) return point.from > 0 ? fmt::format("{:.4g} and more", point.from) : "all";
  const std::string from = fmt::format("{:.4g}", point.from);
  const std::string to = fmt::format("{:.4g}", point.to);
  return from == to ? "only at " + from : fmt::format("{} to {}", from, to);
}

// The start-ups that occur, and not those at equal distances; where many lie close, not every one of them.
std::string start_up_tics(const std::vector<FrontierPoint>& points) {
  std::string out;
  double last = 0;
  for (const FrontierPoint& p : points) {
    const auto here = static_cast<double>(p.start_ups);
    if (here <= 0 || (last > 0 && here < 1.08 * last)) continue;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", p.start_ups);
    last = here;
  }
  return out;
}

// What a script may have between double quotes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? '\'' : c;
  return out + "\"";
}

}  // namespace

void require_two_figures(const Problem& problem, std::string_view option) {
  if (problem.model().switching == Switching::kWormhole &&
      problem.collective().kind() == CollectiveKind::kAlltoall)
    return;
  throw InputError(
      fmt::format("{}: start-ups and blocks are traded for each other in `alltoall` with `--switching "
                  "wormhole`; elsewhere the steps count alone",
                  option));
}

std::vector<FrontierPoint> frontier(const Problem& problem) {
  require_two_figures(problem, "--frontier");
  const auto least = best_bound(problem, BoundOn::kCriticalBlocks).value.ceil();
  std::vector<FrontierPoint> out;
  for (const Choice& choice : pareto_front(problem)) {
    const Claim claim = choice.claim;
    FrontierPoint& point = out.emplace_back();
    point.algorithm = choice.name();
    point.start_ups = *claim.start_ups;
    point.blocks = *claim.critical_blocks;
    if (least > 0) point.over_bound = static_cast<double>(point.blocks) / static_cast<double>(least);
  }
  find_ranges(out);
  return out;
}

std::string frontier_table(const std::vector<FrontierPoint>& points) {
  Table table({"start-ups", "blocks", "/ bound", "cheapest for ts/(b tx)", "algorithm"});
  for (const FrontierPoint& p : points) {
    table.row({with_thousands(p.start_ups), with_thousands(p.blocks), fmt::format("{:.3f}", p.over_bound),
               range_text(p), p.algorithm});
  }
  return table.text();
}

void report_frontier(const Problem& problem, const std::vector<FrontierPoint>& points, Report& report) {
  const Bound starts = best_bound(problem);
  const Bound blocks = best_bound(problem, BoundOn::kCriticalBlocks);
  report.add("start-ups",
             fmt::format("at least {} by {}: {}", with_thousands(static_cast<uint64_t>(starts.value.ceil())),
                         starts.name, starts.witness),
             starts.value.ceil());
  report.add("critical blocks",
             fmt::format("at least {} by {}: {}", with_thousands(static_cast<uint64_t>(blocks.value.ceil())),
                         blocks.name, blocks.witness),
             blocks.value.ceil());
  Json all = Json::array();
  for (const FrontierPoint& p : points) {
    Json one = Json::object();
    one.set("algorithm", p.algorithm)
        .set("start_ups", p.start_ups)
        .set("critical_blocks", p.blocks)
        .set("over_bound", p.over_bound);
    if (p.from <= p.to) one.set("from", p.from).set("to", std::isinf(p.to) ? Json() : Json(p.to));
    all.push(std::move(one));
  }
  report.add_json("frontier", std::move(all));
}

std::string frontier_plot(const Problem& problem, const std::vector<FrontierPoint>& points,
                          const std::string& format) {
  std::string out = format == "svg" ? "set terminal svg size 900,600 noenhanced background 'white'\n"
                                    : "set terminal pngcairo size 900,600 noenhanced background 'white'\n";
  out += fmt::format("set title {}\n",
                     quoted(fmt::format("{}, {}", problem.title(), describe(problem.model()))));
  out += fmt::format("set xtics ({})\n", start_up_tics(points));
  out += "set xlabel 'start-ups'\nset ylabel 'blocks on the critical path, over their lower bound'\n";
  // Room for the labels on the right.
  out +=
      "set logscale x 2\nset grid\nset key off\nset offsets graph 0.02, graph 0.45, graph 0.08, graph 0.05\n";
  out += "$front << END\n";
  for (const FrontierPoint& p : points)
    out += fmt::format("{} {:.6f} {}\n", p.start_ups, p.over_bound, quoted(p.algorithm));
  out += "END\n";
  out +=
      "plot $front using 1:2 with steps lc rgb '#888888', '' using 1:2 with points pt 7 lc rgb '#1f4e9c', ";
  out += "'' using 1:2:3 with labels left offset 1,0.5 font ',9'\n";
  return out;
}

}  // namespace quadrille
