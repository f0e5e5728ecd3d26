#include "quadrille/cli/report/sizes/frontier_report.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

std::string range_text(const FrontierPoint& point) {
  if (point.from > point.to) return "never";
  if (std::isinf(point.to)) return point.from > 0 ? fmt::format("{:.4g} and more", point.from) : "all";
  const std::string from = fmt::format("{:.4g}", point.from);
  const std::string to = fmt::format("{:.4g}", point.to);
  return from == to ? "only at " + from : fmt::format("{} to {}", from, to);
}

// For messages of which size a point is the best by the constants: b = ts / (tx q), for q = ts/(b tx).
std::string sizes_text(const CostConstants& cost, const FrontierPoint& point) {
  if (point.from > point.to) return "never";
  const auto size = [&](double q) {
    return q > 0 ? cost.ts / (cost.tx * q) : std::numeric_limits<double>::infinity();
  };
  const auto text = [](double bytes) {
    if (bytes < 1024) return fmt::format("{:.4g} B", bytes);
    if (bytes < 1048576) return fmt::format("{:.4g} KiB", bytes / 1024);
    if (bytes < 1073741824) return fmt::format("{:.4g} MiB", bytes / 1048576);
    return fmt::format("{:.4g} GiB", bytes / 1073741824);
  };
  const double least = std::isinf(point.to) ? 0.0 : size(point.to);
  const double most = size(point.from);
  if (std::isinf(most)) return least > 0 ? text(least) + " and more" : "all";
  return least > 0 ? fmt::format("{} to {}", text(least), text(most)) : "up to " + text(most);
}

// Between numbers of pieces.
std::string pieces_table(const Frontier& front, const CostConstants& cost) {
  const bool sized = cost.tx > 0 && cost.ts > 0;
  std::vector<std::string> head{"start-ups", "pieces", "rounds", "messages over a link", "/ bound"};
  head.emplace_back(sized ? "cheapest for messages of" : "cheapest for ts/(b tx)");
  head.emplace_back("algorithm");
  Table table(head);
  for (const FrontierPoint& p : front.points) {
    table.row({with_thousands(p.start_ups), with_thousands(p.pieces), with_thousands(p.blocks),
               fmt::format("{:.4g}", static_cast<double>(p.blocks) / static_cast<double>(p.pieces)),
               p.over_bound > 0 ? fmt::format("{:.3f}", p.over_bound) : "-",
               sized ? sizes_text(cost, p) : range_text(p), p.algorithm});
  }
  return table.text();
}

void report_least(std::string_view label, const Bound& bound, Report& report) {
  const auto least = static_cast<uint64_t>(bound.value.ceil());
  report.add(label, fmt::format("at least {} by {}: {}", with_thousands(least), bound.name, bound.witness),
             bound.value.ceil());
}

}  // namespace

std::string frontier_table(const Frontier& front, const CostConstants& cost) {
  if (front.any_pieces) return pieces_table(front, cost);
  Table table({"start-ups", "blocks", "/ bound", "cheapest for ts/(b tx)", "algorithm"});
  for (const FrontierPoint& p : front.points) {
    table.row({with_thousands(p.start_ups), with_thousands(p.blocks), fmt::format("{:.3f}", p.over_bound),
               range_text(p), p.algorithm});
  }
  return table.text();
}

void report_frontier(const Frontier& front, Report& report) {
  report_least("start-ups", front.start_ups, report);
  if (!front.any_pieces) report_least("critical blocks", front.blocks, report);
  if (front.any_pieces && !front.blocks.name.empty()) {
    report.add("messages over a link",
               fmt::format("at least {:.6g} by {}: {}", front.blocks.value.to_double(), front.blocks.name,
                           front.blocks.witness),
               front.blocks.value);
  }
  Json all = Json::array();
  for (const FrontierPoint& p : front.points) {
    Json one = Json::object();
    one.set("algorithm", p.algorithm)
        .set("start_ups", p.start_ups)
        .set("critical_blocks", p.blocks)
        .set("pieces", p.pieces)
        .set("over_bound", p.over_bound);
    if (p.from <= p.to) one.set("from", p.from).set("to", std::isinf(p.to) ? Json() : Json(p.to));
    all.push(std::move(one));
  }
  report.add_json("frontier", std::move(all));
}

}  // namespace quadrille
