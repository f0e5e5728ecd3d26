// Tables 1 and 2 of the paper on meshes: what complete exchange by cells costs, and what others do.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/cost/published_cost.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit meshes_table1;
extern const Exhibit meshes_table2;

namespace meshes_parts {
namespace {

// Plans of so many nodes are made and judged, others by their prediction.
constexpr uint64_t kMostJudgedOfMeshes = 1024;

struct Mesh {
  std::vector<uint64_t> sides;

  [[nodiscard]] uint64_t nodes() const {
    uint64_t out = 1;
    for (const uint64_t side : sides) out *= side;
    return out;
  }
  [[nodiscard]] std::string spec() const { return fmt::format("mesh({})", fmt::join(sides, ",")); }
  [[nodiscard]] Problem problem() const {
    return problem_on(spec(), CollectiveKind::kAlltoall, one_port_worms());
  }
};

struct Cost {
  uint64_t start_ups = 0;
  uint64_t blocks = 0;
  bool is_judged = false;
  Cell blocks_cell{};
};

Cost cost_of(const Mesh& mesh, std::string_view algorithm) {
  const Problem problem = mesh.problem();
  if (mesh.nodes() <= kMostJudgedOfMeshes) {
    const Judged figures = judged(problem, std::string(algorithm));
    return {figures.start_ups, figures.critical_blocks, true, figures.blocks_cell()};
  }
  const Prediction prediction = predicted(problem, std::string(algorithm));
  return {*prediction.start_ups, *prediction.critical_blocks, false, Cell(*prediction.critical_blocks)};
}

// --- table 1 ----------------------------------------------------------------------------------------------

// R x C, R <= C.
void add_plane(Sheet& out, uint64_t rows, uint64_t columns) {
  const Mesh mesh{{rows, columns}};
  const Cost cost = cost_of(mesh, "alltoall_mesh");
  const Cost best = cost_of(mesh, "auto");
  out.rows.push_back({fmt::format("{} x {}", rows, columns),
                      Cell(cost.start_ups).in_print(fmt::format("{}", columns)),
                      cost.blocks_cell.in_print(fmt::format("{}", rows * columns * columns / 2)),
                      rows * columns * columns / 4, best.start_ups, best.blocks_cell});
}

constexpr std::string_view kLongestFirst =
    "n dimensions: longest first, as the paper orders them, and as the plans of this column do";

void add_space(Sheet& out, const std::vector<uint64_t>& sides) {
  const Mesh mesh{sides};
  const bool is_cube = std::equal(sides.begin() + 1, sides.end(), sides.begin());
  const Cost cost = cost_of(mesh, is_cube ? "alltoall_mesh" : "alltoall_mesh_longest_first");
  const Cost best = cost_of(mesh, "auto");
  const uint64_t n = sides.size();
  const uint64_t longest = sides.front();
  out.rows.push_back({fmt::format("{}", fmt::join(sides, " x ")),
                      Cell(cost.start_ups).in_print(fmt::format("{}", n * longest / 2)),
                      cost.blocks_cell.in_print(fmt::format("{}", n * longest * mesh.nodes() / 4)),
                      mesh.nodes() * longest / 4, best.start_ups, best.blocks_cell});
}

constexpr std::array kTable1Sizes = {4.0, 6.0, 8.0};
constexpr std::array kTable1Parameters = {
    Parameter{.name = "size",
              .meaning = "a, the meshes are a x a, a x 2a, a x a x a and 2a x a x a,",
              .printed = kTable1Sizes,
              .least = 2,
              .most = 16,
              .multiple = 2}};

Reproduction table1(const Settings& settings) {
  Sheet out{
      .title = "Complete exchange by cells, one port",
      .columns = {
          {"mesh"}, {"start-ups"}, {"blocks"}, {"bound"}, {"start-ups, Quadrille"}, {"blocks, Quadrille"}}};
  const std::vector<uint64_t> sizes = settings.whole("size");
  for (const uint64_t a : sizes) {
    add_plane(out, a, a);
    add_plane(out, a, 2 * a);
  }
  for (const uint64_t a : sizes) {
    add_space(out, {a, a, a});
    add_space(out, {2 * a, a, a});
  }
  return {.sheets = {std::move(out)}, .notes = {std::string(kLongestFirst)}};
}

// --- table 2 ----------------------------------------------------------------------------------------------

constexpr std::array kTable2Sizes = {2.0, 3.0, 4.0, 5.0, 6.0};
constexpr std::array kTable2Parameters = {Parameter{
    .name = "size", .meaning = "d, the mesh is 2^d x 2^d,", .printed = kTable2Sizes, .least = 2, .most = 7}};

void add_published(Sheet& out, uint64_t d, std::string_view who, std::string_view card) {
  const Mesh mesh{{uint64_t{1} << d, uint64_t{1} << d}};
  const CostParts cost = published_costs().find(card)->cost(mesh.problem());
  const uint64_t n = uint64_t{1} << d;
  const bool is_first = card == "alltoall_bokhari_berryman";
  const uint64_t start_ups = is_first ? 3 * (n - 1) : n;
  const uint64_t blocks = is_first ? 3 * (n - 1) * n * n / 4 : n * n * n / 2;
  out.rows.push_back({d, who, Cell(cost.start_ups).in_print(fmt::format("{}", start_ups)),
                      Cell(*cost.critical_blocks).in_print(fmt::format("{}", blocks)),
                      Cell(*cost.rearranged).in_print(fmt::format("{}", (d - 1) * n * n)), "formula"});
}

constexpr std::string_view kOnlyWhatTravels =
    "rearranged: by the busiest node, of the n^2 - 1 blocks that travel, and once where a ring has one step";

void add_own(Sheet& out, uint64_t d) {
  const uint64_t n = uint64_t{1} << d;
  const Mesh mesh{{n, n}};
  const Cost cost = cost_of(mesh, "alltoall_mesh");
  const Prediction prediction = predicted(mesh.problem(), "alltoall_mesh");
  out.rows.push_back({d, "Proposed", Cell(cost.start_ups).in_print(fmt::format("{}", n)),
                      cost.blocks_cell.in_print(fmt::format("{}", n * n * n / 2)),
                      Cell(prediction.rearranged).in_print(fmt::format("{}", 2 * n * n), kOnlyWhatTravels),
                      cost.is_judged ? "the judge" : "formula"});
  const Cost best = cost_of(mesh, "auto");
  out.rows.push_back(
      {d, "Quadrille", best.start_ups, best.blocks_cell, Cell(), best.is_judged ? "the judge" : "formula"});
}

Reproduction table2(const Settings& settings) {
  Sheet out{.title = "Complete exchange on 2^d x 2^d meshes, one port",
            .columns = {{"d"}, {"algorithm"}, {"start-ups"}, {"blocks"}, {"rearranged"}, {"counted by"}}};
  for (const uint64_t d : settings.whole("size")) {
    add_published(out, d, "[2] Bokhari, Berryman", "alltoall_bokhari_berryman");
    add_published(out, d, "[10] Sundar et al.", "alltoall_sundar");
    add_own(out, d);
  }
  return {.sheets = {std::move(out)}};
}

}  // namespace
}  // namespace meshes_parts

constinit const Exhibit meshes_table1 = {
    .name = "meshes.table1",
    .paper = "meshes",
    .item = "Table 1",
    .title = "start-ups and blocks of complete exchange on meshes",
    .method = "plans, judged up to 1,024 nodes; printed: the paper's formulas",
    .parameters = meshes_parts::kTable1Parameters,
    .make = meshes_parts::table1,
};

constinit const Exhibit meshes_table2 = {
    .name = "meshes.table2",
    .paper = "meshes",
    .item = "Table 2",
    .title = "complete exchange on 2^d x 2^d meshes beside two others",
    .method = "plans, judged up to 1,024 nodes; the two others by their formulas, taken over",
    .parameters = meshes_parts::kTable2Parameters,
    .make = meshes_parts::table2,
};

}  // namespace quadrille::exhibit
