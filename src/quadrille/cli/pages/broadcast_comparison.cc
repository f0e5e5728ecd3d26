// Section 6 of the 2000 paper on broadcasting in all-port wormhole tori, recomputed: a part of the
// page of claims.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr std::array<uint32_t, 20> kSquares = {4,  5,  6,  7,  8,  9,  10, 15, 16,  20,
                                               21, 25, 26, 32, 40, 42, 50, 64, 100, 128};
constexpr std::array<uint32_t, 22> kCubes = {4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 15,
                                             16, 20, 25, 27, 32, 33, 48, 49, 50, 64, 128};
constexpr std::array<std::string_view, 4> kPublished = {"broadcast_tsai_mckinley", "broadcast_park",
                                                        "broadcast_peters_syska", "broadcast_tsay_wang"};

struct Row {
  uint32_t side = 0;
  uint64_t doubling = 0;
  uint64_t ordered = 0;
  uint64_t spans = 0;
  std::array<std::optional<uint64_t>, kPublished.size()> published{};
  uint64_t best = 0;
};

uint64_t bound(std::string_view name, const Problem& problem) {
  const std::optional<Bound> found = bound_catalog().find(name)->evaluate(problem);
  return found ? static_cast<uint64_t>(found->value.ceil()) : 0;
}

Row row_of(uint32_t dimensions, uint32_t side) {
  Model model;
  model.switching = Switching::kWormhole;
  const Topology torus = parse_topology(fmt::format("torus({}^{})", side, dimensions));
  const Problem any = standard_problem(torus, CollectiveKind::kBroadcast, model);
  model.routing = Routing::kDimensionOrder;
  const Problem ordered = standard_problem(torus, CollectiveKind::kBroadcast, model);
  Row row;
  row.side = side;
  row.doubling = bound("doubling", any);
  row.ordered = std::max(row.doubling, bound("dimension_order", ordered));
  // What the cards predict, without asking them: they would number two million nodes first.
  const GridShape shape{std::vector<uint32_t>(dimensions, side), std::vector<bool>(dimensions, true)};
  row.spans = worm_spans_steps(shape);
  for (size_t i = 0; i < kPublished.size(); ++i) {
    const PublishedCost& card = *published_costs().find(kPublished[i]);
    if (!card.refuses(any)) row.published[i] = card.cost(any).start_ups;
  }
  row.best = planned_steps(shape, std::vector<uint32_t>(dimensions, 0));
  return row;
}

std::string table_of(const std::vector<Row>& rows) {
  Table table({"n", "bound", "bound, ordered", "the paper", "Tsai, McKinley", "Park", "Peters, Syska",
               "Tsay, Wang", "Quadrille"});
  for (const Row& row : rows) {
    std::vector<std::string> cells = {fmt::format("{}", row.side), fmt::format("{}", row.doubling),
                                      fmt::format("{}", row.ordered), fmt::format("{}", row.spans)};
    for (const std::optional<uint64_t>& steps : row.published)
      cells.push_back(steps ? fmt::format("{}", *steps) : "");
    cells.push_back(row.best == row.ordered ? fmt::format("**{}**", row.best) : fmt::format("{}", row.best));
    table.row(std::move(cells));
  }
  return table.markdown();
}

// Steps upwards, sides to the right; where marks meet, Quadrille's is on top, then the bound's.
std::string plot_of(const std::vector<Row>& rows) {
  uint64_t most = 0;
  for (const Row& row : rows) most = std::max(most, row.spans);
  std::string out = "```\n";
  for (uint64_t steps = most; steps > 0; --steps) {
    std::string line = fmt::format("{:>5} |", steps);
    for (const Row& row : rows) {
      char mark = ' ';
      if (row.spans == steps) mark = 'p';
      if (row.published[0] == steps) mark = 't';
      if (row.ordered == steps) mark = '_';
      if (row.best == steps) mark = 'Q';
      line += fmt::format("{:>4}", mark);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out += "steps +" + std::string(4 * rows.size(), '-') + "\n     n ";
  for (const Row& row : rows) out += fmt::format("{:>4}", row.side);
  return out + "\n```\n";
}

template <size_t kCount>
std::string part(uint32_t dimensions, const std::array<uint32_t, kCount>& sides) {
  std::vector<Row> rows;
  for (const uint32_t side : sides) rows.push_back(row_of(dimensions, side));
  return fmt::format("#### {} dimensions\n\n{}\n{}", dimensions == 2 ? "Two" : "Three", table_of(rows),
                     plot_of(rows));
}

}  // namespace

std::string broadcast_comparison() {
  return "\n### Section 6 recomputed: steps of a broadcast on n x n and n x n x n tori\n\n"
         "All ports, worms; the bound on the left holds for any routing, the other one in dimension order. The columns of\n"
         "Park and of Peters and Syska are not in dimension order and may go below it; these, Tsai, McKinley "
         "and Tsay, Wang\n"
         "are published formulas (`quadrille list costs`), the others are steps of plans that are judged, up "
         "to 64^3, in the tests.\n"
         "Quadrille's column is `broadcast_wormhole_best`, bold where it meets the bound and so is optimal; it cuts boxes\n"
         "on tori of up to 20,000 nodes only, where this is cheap. Any other sides and ports: `quadrille reproduce "
         "2000.section6 --size 24,90 --ports all,3`\n(`2000.fig8` in three dimensions); one torus with all that serves it: "
         "`plan broadcast --compare`.\n\n" +
         part(2, kSquares) +
         "\nQ: Quadrille, _: bound in dimension order where Q is above it, p: the paper, t: "
         "Tsai, McKinley.\n\n" +
         part(3, kCubes);
}

}  // namespace quadrille
