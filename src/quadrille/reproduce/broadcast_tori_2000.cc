// Figure 8 and the comparison of section 6 of the 2000 paper: steps of a broadcast by worms on tori.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"
#include "quadrille/cost/square_torus_broadcasts.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit broadcast_2000_fig8;
extern const Exhibit broadcast_2000_section6;

namespace broadcast_tori_2000_parts {
namespace {

namespace published = square_torus_broadcasts;

// Plans of so many nodes are made and judged.
constexpr uint64_t kMostJudged = 512;

// Every informed node informs `ports` others.
uint64_t doubling(uint64_t nodes, uint64_t ports) {
  uint64_t steps = 0;
  for (uint64_t informed = 1; informed < nodes; informed *= ports + 1) ++steps;
  return steps;
}

// The bound `dimension_order` on n^k, n >= 3: worms that leave a subtorus start on ports of the dimensions before it.
uint64_t ordered_bound(uint64_t k, uint64_t n) {
  uint64_t most = 0;
  for (uint64_t before = 1; before < k; ++before) {
    uint64_t all = 1;
    uint64_t inside = 1;
    for (uint64_t i = 0; i < k; ++i) {
      all *= n;
      if (i >= before) inside *= n;
    }
    uint64_t steps = 0;
    uint64_t in = 1;
    for (uint64_t out = 0; out < all - inside; ++steps) {
      out += 2 * k * out + 2 * before * in;
      in = std::min(inside, in + 2 * (k - before) * in);
    }
    most = std::max(most, steps);
  }
  return most;
}

Model all_port_worms() {
  Model out;
  out.switching = Switching::kWormhole;
  out.routing = Routing::kDimensionOrder;
  return out;
}

Cell all_ports_best(uint64_t k, uint64_t n) {
  const auto side = static_cast<uint32_t>(n);
  return planned_steps(GridShape{std::vector<uint32_t>(k, side), std::vector<bool>(k, true)},
                       std::vector<uint32_t>(k, 0));
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t out = 1;
  for (; exponent > 0; --exponent) out *= base;
  return out;
}

// The paper's scheme: of small tori the judged plan's steps.
Cell spans(uint64_t k, uint64_t n) {
  if (power(n, k) <= kMostJudged) {
    const Problem problem =
        problem_on(equal_sides("torus", n, k), CollectiveKind::kBroadcast, all_port_worms());
    return judged(problem, "broadcast_spans").steps_cell();
  }
  const auto side = static_cast<uint32_t>(n);
  return worm_spans_steps(GridShape{std::vector<uint32_t>(k, side), std::vector<bool>(k, true)});
}

Sheet all_ports(uint64_t k, std::span<const uint64_t> sides) {
  Sheet out{.title = fmt::format("Steps on {}, all ports", k == 2 ? "n x n" : "n x n x n"),
            .columns = {{"n"},
                        {"bound"},
                        {"in dimension order"},
                        {"the paper"},
                        {"Tsai, McKinley"},
                        {"Park"},
                        {"Tsay, Wang"},
                        {"Quadrille"}}};
  for (const uint64_t n : sides) {
    const uint64_t least = doubling(power(n, k), 2 * k);
    Cell park = published::park(k, n);
    // "Always the best, and coincides with the lower bound."
    if (!park.is_empty()) park = park.in_print(fmt::format("{}", least));
    out.rows.push_back({n, least, std::max(least, ordered_bound(k, n)), spans(k, n),
                        published::tsai_mckinley(k, n), park, published::tsay_wang(k, n),
                        all_ports_best(k, n)});
    // Theirs is for two dimensions.
    if (k == 2) out.rows.back().insert(out.rows.back().end() - 1, Cell(published::peters_syska(k, n)));
  }
  if (k == 2) out.columns.insert(out.columns.end() - 1, Column{"Peters, Syska"});
  out.curves = {.over = 0,
                .columns = {1, 2, 3, 4, 5, out.columns.size() - 1},
                .x_label = "n",
                .y_label = "steps",
                .log_x = true};
  return out;
}

// Fewer ports: the schemes of the literature need all of them.
Sheet some_ports(uint64_t k, uint64_t ports, std::span<const uint64_t> sides) {
  Sheet out{.title = fmt::format("Steps on {}, {} port{}", k == 2 ? "n x n" : "n x n x n", ports,
                                 ports == 1 ? "" : "s"),
            .columns = {{"n"}, {"bound"}, {"Quadrille"}}};
  for (const uint64_t n : sides) {
    Cell best;
    if (power(n, k) <= 4 * kMostJudged) {
      Model model = all_port_worms();
      model.send = model.receive = Ports{static_cast<uint32_t>(ports)};
      best = judged(problem_on(equal_sides("torus", n, k), CollectiveKind::kBroadcast, model), "auto")
                 .steps_cell();
    }
    out.rows.push_back({n, doubling(power(n, k), ports), best});
  }
  out.curves = {.over = 0, .columns = {1, 2}, .x_label = "n", .y_label = "steps", .log_x = true};
  return out;
}

Reproduction compare(uint64_t k, const Settings& settings) {
  const std::vector<uint64_t> sides = settings.whole("size");
  Reproduction out;
  for (const uint64_t ports : settings.whole("ports"))
    out.sheets.push_back(ports == 0 ? all_ports(k, sides) : some_ports(k, ports, sides));
  uint64_t optimal = 0;
  uint64_t cases = 0;
  for (const Sheet& sheet : out.sheets) {
    for (const std::vector<Cell>& row : sheet.rows) {
      const size_t bound = row.size() > 3 ? 2 : 1;
      if (row.back().is_empty()) continue;
      ++cases;
      if (row.back().number() == row[bound].number()) ++optimal;
    }
  }
  out.notes.push_back(fmt::format("Quadrille's plans meet the bound in {} of {} cases.", optimal, cases));
  if (settings.as_printed()) {
    out.notes.emplace_back(
        "Park and others and Peters and Syska do not route in dimension order and may go below its bound; where a column "
        "is empty the formula does not hold for that size.");
  }
  return out;
}

constexpr std::array kCubes = {4.0,  5.0,  6.0,  7.0,  8.0,  9.0,  10.0, 11.0, 12.0, 13.0,  15.0, 16.0,
                               20.0, 25.0, 27.0, 32.0, 33.0, 48.0, 49.0, 50.0, 64.0, 128.0, 256.0};
constexpr std::array kSquares = {4.0,  5.0,  6.0,  7.0,  8.0,  9.0,  10.0, 15.0, 16.0,  20.0,
                                 21.0, 25.0, 26.0, 32.0, 40.0, 42.0, 50.0, 64.0, 100.0, 128.0};
constexpr std::array kAllPorts = {0.0};
constexpr std::array kCubeParameters = {
    Parameter{
        .name = "size", .meaning = "n, the torus is n x n x n,", .printed = kCubes, .least = 3, .most = 1024},
    Parameter{
        .name = "ports", .meaning = "ports", .printed = kAllPorts, .least = 1, .most = 5, .is_ports = true}};
constexpr std::array kSquareParameters = {
    Parameter{
        .name = "size", .meaning = "n, the torus is n x n,", .printed = kSquares, .least = 3, .most = 4096},
    Parameter{
        .name = "ports", .meaning = "ports", .printed = kAllPorts, .least = 1, .most = 3, .is_ports = true}};

constexpr std::string_view kMethod =
    "the paper's scheme and Quadrille's: steps of plans, judged on small tori; others and bounds by formula; the drawing "
    "is not in our text, printed: what it says of Park";

}  // namespace
}  // namespace broadcast_tori_2000_parts

constinit const Exhibit broadcast_2000_fig8 = {
    .name = "2000.fig8",
    .paper = "broadcast_tori_2000",
    .item = "Figure 8",
    .title = "steps of broadcasts on n x n x n tori",
    .method = broadcast_tori_2000_parts::kMethod,
    .parameters = broadcast_tori_2000_parts::kCubeParameters,
    .make = [](const Settings& settings) { return broadcast_tori_2000_parts::compare(3, settings); },
};

constinit const Exhibit broadcast_2000_section6 = {
    .name = "2000.section6",
    .paper = "broadcast_tori_2000",
    .item = "Section 6, steps",
    .title = "the same comparison on n x n tori",
    .method = broadcast_tori_2000_parts::kMethod,
    .parameters = broadcast_tori_2000_parts::kSquareParameters,
    .make = [](const Settings& settings) { return broadcast_tori_2000_parts::compare(2, settings); },
};

}  // namespace quadrille::exhibit
