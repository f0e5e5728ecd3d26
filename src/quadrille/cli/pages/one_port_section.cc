// The section of docs/claims.md on one-port broadcast on tori: what the dissertation left open, recomputed
// when the page is written.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/compile/comparison/offers.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

using Sides = std::vector<uint32_t>;

constexpr uint32_t kMostNodes = 128;

struct TorusRow {
  Sides sides{};
  uint64_t nodes = 1;
  uint64_t diameter = 0;
  size_t odd_sides = 0;
  uint64_t steps = 0;
  Bound bound{};

  [[nodiscard]] bool optimal() const { return static_cast<int64_t>(steps) == bound.value.ceil(); }
};

TorusRow row_of(const Sides& sides) {
  TorusRow row{.sides = sides};
  for (const uint32_t side : sides) {
    row.nodes *= side;
    row.diameter += side / 2;
    row.odd_sides += side % 2;
  }
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = standard_problem(parse_topology(fmt::format("torus({})", fmt::join(sides, ","))),
                                           CollectiveKind::kBroadcast, one_port);
  row.steps = *offer_of("broadcast_torus", problem).predicted.steps;
  row.bound = best_bound(problem);
  return row;
}

// Every multiset of sides from 2 on with at most that many nodes.
void add_tori(Sides& sides, uint32_t nodes, std::vector<TorusRow>& out) {
  for (uint32_t side = sides.empty() ? 2 : sides.back(); side * nodes <= kMostNodes; ++side) {
    sides.push_back(side);
    out.push_back(row_of(sides));
    add_tori(sides, side * nodes, out);
    sides.pop_back();
  }
}

std::string summary(const std::vector<TorusRow>& rows, size_t odd_sides, std::string_view what) {
  uint64_t tori = 0;
  uint64_t optimal = 0;
  for (const TorusRow& row : rows) {
    if (row.odd_sides != odd_sides) continue;
    ++tori;
    optimal += row.optimal() ? 1 : 0;
  }
  return fmt::format("- {}: {} tori, {} of them at their bound.\n", what, tori, optimal);
}

}  // namespace

std::string one_port_section() {
  std::vector<TorusRow> rows;
  Sides sides;
  add_tori(sides, 1, rows);
  for (const Sides& larger : {Sides{7, 7, 7}, Sides{5, 5, 5, 5}}) rows.push_back(row_of(larger));

  std::string out = fmt::format(
      "\n## Beyond the papers: one-port broadcast on tori\n\n"
      "The dissertation leaves open how long a broadcast with one port takes on a torus of more than two\n"
      "dimensions. Here is every torus of up to {} nodes, with sides of 2 or more in any number of dimensions,\n"
      "and two larger ones: the steps of `broadcast_torus`, the best lower bound, and whose it is. What\n"
      "`refuted_broadcast` says about more than 64 nodes rests on a refutation that is kept in\n"
      "data/refutations. D is the diameter.\n\n",
      kMostNodes);
  out += summary(rows, 0, "All sides even (D steps)");
  out += summary(rows, 1, "One odd side (D + 1 steps)");
  out += "- Two odd sides or more, one by one:\n\n";
  Table table({"torus", "nodes", "D", "steps", "lower bound", "by"});
  for (const TorusRow& row : rows) {
    if (row.odd_sides < 2) continue;
    table.row({fmt::format("{}", fmt::join(row.sides, " x ")), fmt::format("{}", row.nodes),
               fmt::format("{}", row.diameter), fmt::format("{}", row.steps),
               fmt::format("{}", row.bound.value.ceil()), fmt::format("`{}`", row.bound.name)});
  }
  return out + table.markdown();
}

}  // namespace quadrille
