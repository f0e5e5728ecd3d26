// Figures of the paper on meshes and of the 2000 paper on broadcasting: who sends what in their steps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "quadrille/base/text.h"
#include "quadrille/reproduce/drawn_plan.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit meshes_fig1;
extern const Exhibit meshes_fig2;
extern const Exhibit meshes_fig3;
extern const Exhibit meshes_fig4;
extern const Exhibit broadcast_2000_fig1;
extern const Exhibit broadcast_2000_fig2;
extern const Exhibit broadcast_2000_fig3;
extern const Exhibit broadcast_2000_fig4;
extern const Exhibit broadcast_2000_fig5;
extern const Exhibit broadcast_2000_fig7;

namespace mesh_and_broadcast_patterns_parts {
namespace {

// --- meshes -----------------------------------------------------------------------------------------------

constexpr DrawnPlan kMesh = {
    .topology = [](uint64_t n) { return fmt::format("mesh({0},{0})", n); },
    .collective = CollectiveKind::kAlltoall,
    .model = one_port_worms,
    .algorithm = "alltoall_mesh",
    .steps = [](uint64_t n) { return n; },
    .counts_blocks = true,
};
constexpr std::array kSix = {6.0};
constexpr std::array kPlaneParameters = {Parameter{.name = "size",
                                                   .meaning = "n, the mesh is n x n,",
                                                   .printed = kSix,
                                                   .least = 4,
                                                   .most = 16,
                                                   .multiple = 2}};
constexpr std::array kSpaceParameters = {Parameter{.name = "size",
                                                   .meaning = "a, the mesh is a x a x a,",
                                                   .printed = kSix,
                                                   .least = 4,
                                                   .most = 12,
                                                   .multiple = 2}};

// "2..5" of {2,3,4,5}; "0, 2" of {0,2}.
std::string range_of(const std::set<uint64_t>& values) {
  if (values.empty()) return "-";
  if (*values.rbegin() - *values.begin() + 1 == values.size())
    return values.size() == 1 ? fmt::format("{}", *values.begin())
                              : fmt::format("{}..{}", *values.begin(), *values.rbegin());
  std::vector<std::string> out;
  for (const uint64_t value : values) out.push_back(fmt::format("{}", value));
  return join(out);
}

// What node (0,0) sends in each step: the columns and rows of its array, hops that a block goes in phases 1 and 2.
Reproduction fig2(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(fmt::format("mesh({0},{0})", n), CollectiveKind::kAlltoall, one_port_worms());
    const Topology& net = problem.topology();
    Sheet sheet{.title = fmt::format("The array of node (0,0) of {}", net.name()),
                .columns = {{"step"}, {"to"}, {"blocks"}, {"columns sent"}, {"rows sent"}}};
    uint64_t number = 0;
    watch(problem, "alltoall_mesh", [&](const StepView& step) {
      ++number;
      for (size_t t = 0; t < step.size(); ++t) {
        if (index(net.tail(step.arcs(t).front())) != 0) continue;
        std::set<uint64_t> columns;
        std::set<uint64_t> rows;
        for (const BlockId block : step.blocks(t)) {
          const uint64_t from = index(problem.origin(block));
          const uint64_t to = index(problem.destination(block));
          columns.insert((to % n + n - from % n) % n);
          rows.insert((to / n + n - from / n) % n);
        }
        // Phases 1 and 2: B[*, 2i..C-1] to (0,2), then B[2j..C-1, *] to (2,0).
        const uint64_t ring = n / 2 - 1;
        Cell to(net.label(net.head(step.arcs(t).back())));
        Cell sent_columns(range_of(columns));
        Cell sent_rows(range_of(rows));
        Cell blocks(step.blocks(t).size());
        if (number <= ring) {
          to = to.in_print("(0,2)");
          sent_columns = sent_columns.in_print(fmt::format("{}..{}", 2 * number, n - 1));
          blocks = blocks.in_print(fmt::format("{}", n * (n - 2 * number)));
        } else if (number <= 2 * ring) {
          to = to.in_print("(2,0)");
          sent_rows = sent_rows.in_print(fmt::format("{}..{}", 2 * (number - ring), n - 1));
          blocks = blocks.in_print(fmt::format("{}", n * (n - 2 * (number - ring))));
        } else {
          to = to.in_print(number == 2 * ring + 1 ? "(0,1)" : "(1,0)");
          blocks = blocks.in_print(fmt::format("{}", n * n / 2));
        }
        sheet.rows.push_back({number, to, blocks, sent_columns, sent_rows});
      }
    });
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

// Where the blocks of node (2,1) lie in its array: column u if they go u hops along its dimension of phase 1, row v if v
// along that of phase 2. A step of a ring is two hops, a swap one.
Reproduction fig3(const Settings& settings) {
  constexpr std::string_view kBackward =
      "backward along the row, so that rows 0 and 1 are a cell, as the plan has it";
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(fmt::format("mesh({0},{0})", n), CollectiveKind::kAlltoall, one_port_worms());
    const Topology& net = problem.topology();
    const uint64_t node = 2 * n + 1;
    const uint64_t ring_steps = 2 * (n / 2 - 1);
    std::vector<std::array<uint64_t, 2>> hops(n * n);  // by destination: along the column, along the row
    uint64_t number = 0;
    watch(problem, "alltoall_mesh", [&](const StepView& step) {
      ++number;
      for (size_t t = 0; t < step.size(); ++t) {
        const uint64_t from = index(net.tail(step.arcs(t).front()));
        const bool along_row = index(net.head(step.arcs(t).back())) / n == from / n;
        for (const BlockId block : step.blocks(t)) {
          if (index(problem.origin(block)) != node) continue;
          hops[index(problem.destination(block))][along_row ? 1 : 0] += number <= ring_steps ? 2 : 1;
        }
      }
    });
    Sheet sheet{.title = fmt::format("The first array of node (2,1) of {}", net.name()),
                .columns = {{"row"}}};
    for (uint64_t u = 0; u < n; ++u) sheet.columns.push_back({fmt::format("{}", u)});
    for (uint64_t v = 0; v < n; ++v) {
      std::vector<Cell> row{v};
      for (uint64_t u = 0; u < n; ++u) {
        const auto at = std::find(hops.begin(), hops.end(), std::array{u, v});
        const auto to = static_cast<uint64_t>(at - hops.begin());
        Cell cell = at == hops.end() ? Cell() : Cell(fmt::format("{},{}", to / n, to % n));
        row.push_back(cell.in_print(fmt::format("{},{}", (2 + u) % n, (1 + v) % n), kBackward));
      }
      sheet.rows.push_back(std::move(row));
    }
    out.sheets.push_back(std::move(sheet));
  }
  out.notes.emplace_back(
      "Destinations of its blocks. Printed: as the text describes it; the drawing is not in our text.");
  return out;
}

// The blocks of each step of the first three phases, and of the swaps.
Reproduction fig4(const Settings& settings) {
  Sheet out{.title = "Complete exchange on a x a x a meshes",
            .columns = {{"a"}, {"phase"}, {"step"}, {"blocks"}}};
  for (const uint64_t a : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("mesh", a, 3), CollectiveKind::kAlltoall, one_port_worms());
    const uint64_t ring = a / 2 - 1;
    uint64_t number = 0;
    for (const StepSize& step : judged_steps(problem, "alltoall_mesh")) {
      const uint64_t phase = number < 3 * ring ? number / ring + 1 : 4;
      const uint64_t in_phase = phase == 4 ? number - 3 * ring + 1 : number % ring + 1;
      const uint64_t printed = phase == 4 ? a * a * a / 2 : (a - 2 * in_phase) * a * a;
      out.rows.push_back({a, phase, in_phase, Cell(step.largest).in_print(fmt::format("{}", printed))});
      ++number;
    }
  }
  return {.sheets = {std::move(out)}};
}

// --- broadcasting by spans --------------------------------------------------------------------------------

uint64_t ceil_log(uint64_t base, uint64_t n) {
  uint64_t out = 0;
  for (uint64_t reach = 1; reach < n; reach *= base) ++out;
  return out;
}

Model ordered_worms() {
  Model out;
  out.switching = Switching::kWormhole;
  out.routing = Routing::kDimensionOrder;
  return out;
}

template <uint64_t kDimensions>
std::string torus(uint64_t n) {
  return equal_sides("torus", n, kDimensions);
}

// k ceil(log_(2k+1) n) + k - 1.
template <uint64_t kDimensions>
uint64_t steps(uint64_t n) {
  return kDimensions * ceil_log(2 * kDimensions + 1, n) + kDimensions - 1;
}

// Stage i: so many steps, and one that aligns, but in the last stage.
template <uint64_t kDimensions, uint64_t kStage>
StepRange stage(uint64_t n) {
  const uint64_t each = ceil_log(2 * kDimensions + 1, n) + 1;
  return {(kStage - 1) * each + 1, kStage * each};
}

template <uint64_t kDimensions>
StepRange alignment(uint64_t n) {
  const uint64_t at = ceil_log(2 * kDimensions + 1, n) + 1;
  return {at, at};
}

template <uint64_t kDimensions>
constexpr DrawnPlan spans(StepRange (*range)(uint64_t)) {
  return {.topology = torus<kDimensions>,
          .collective = CollectiveKind::kBroadcast,
          .model = ordered_worms,
          .algorithm = "broadcast_spans",
          .steps = steps<kDimensions>,
          .steps_drawn = range};
}

constexpr DrawnPlan kFig1 = spans<2>(stage<2, 1>);
constexpr DrawnPlan kFig2 = spans<2>(stage<2, 2>);
constexpr DrawnPlan kFig3 = spans<3>(stage<3, 1>);
constexpr DrawnPlan kFig5 = spans<3>(stage<3, 2>);
constexpr DrawnPlan kFig7 = spans<4>(alignment<4>);

bool cuts_evenly(uint64_t n) {
  while (n % 7 == 0) n /= 7;
  return n == 1;
}

// The first step of every stage: whoever is on what the stages before have spanned cuts its line in seven.
Reproduction cuts_in_seven(const Settings& settings) {
  Sheet out{.title = "The first steps of the stages on n x n x n",
            .columns = {
                {"n"}, {"stage"}, {"step"}, {"senders"}, {"informed by one"}, {"informed after the stage"}}};
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem = problem_on(torus<3>(n), CollectiveKind::kBroadcast, ordered_worms());
    const uint64_t each = ceil_log(7, n) + 1;
    uint64_t number = 0;
    uint64_t informed = 1;
    watch(problem, "broadcast_spans", [&](const StepView& step) {
      ++number;
      informed += step.size();
      if (number % each == 1) {
        std::map<uint64_t, uint64_t> worms;
        for (size_t t = 0; t < step.size(); ++t)
          ++worms[index(problem.topology().tail(step.arcs(t).front()))];
        uint64_t most = 0;
        for (const auto& [sender, count] : worms) most = std::max(most, count);
        const uint64_t stage = number / each + 1;
        const uint64_t spanned = stage == 1 ? 1 : stage == 2 ? n : n * n;
        Cell by_one(most);
        if (cuts_evenly(n)) by_one = by_one.in_print("6");
        out.rows.push_back(
            {n, stage, number, Cell(worms.size()).in_print(fmt::format("{}", spanned)), by_one, Cell()});
      }
      if (number % each == 0 || number == 3 * each - 1) out.rows.back().back() = informed;
    });
    out.rows.back().back() = out.rows.back().back().in_print(fmt::format("{}", n * n * n));
  }
  return {.sheets = {std::move(out)},
          .notes = {"Printed: section 4 at this size; the drawing is not in our text."}};
}

constexpr std::array kFiveAndSeven = {5.0, 7.0};
constexpr std::array kSeven = {7.0};
constexpr std::array kFour = {4.0};
constexpr std::array kTwoParameters = {Parameter{
    .name = "size", .meaning = "n, the torus is n x n,", .printed = kFiveAndSeven, .least = 4, .most = 126}};
constexpr std::array kThreeParameters = {Parameter{
    .name = "size", .meaning = "n, the torus is n x n x n,", .printed = kSeven, .least = 4, .most = 32}};
constexpr std::array kFourParameters = {
    Parameter{.name = "size", .meaning = "n, the torus is n^4,", .printed = kFour, .least = 4, .most = 10}};

constexpr std::string_view kSpans =
    "the judged plan of broadcast_spans; printed: the steps of the whole broadcast by the paper's theorems";

}  // namespace
}  // namespace mesh_and_broadcast_patterns_parts

constinit const Exhibit meshes_fig1 = {
    .name = "meshes.fig1",
    .paper = "meshes",
    .item = "Figure 1",
    .title = "the pattern in a 6 x 6 mesh",
    .method = "the judged plan of alltoall_mesh; printed: its start-ups",
    .parameters = mesh_and_broadcast_patterns_parts::kPlaneParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kMesh>,
};

constinit const Exhibit meshes_fig2 = {
    .name = "meshes.fig2",
    .paper = "meshes",
    .item = "Figure 2",
    .title = "what node (0,0) sends of its array in a 6 x 6 mesh",
    .method = "the judged plan of alltoall_mesh; printed: section 3.3 at this size",
    .parameters = mesh_and_broadcast_patterns_parts::kPlaneParameters,
    .make = mesh_and_broadcast_patterns_parts::fig2,
};

constinit const Exhibit meshes_fig3 = {
    .name = "meshes.fig3",
    .paper = "meshes",
    .item = "Figure 3",
    .title = "the first array of node (2,1) of a 6 x 6 mesh",
    .method =
        "the judged plan of alltoall_mesh, by the hops of its blocks; printed: section 3.3 at this size",
    .parameters = mesh_and_broadcast_patterns_parts::kPlaneParameters,
    .make = mesh_and_broadcast_patterns_parts::fig3,
};

constinit const Exhibit meshes_fig4 = {
    .name = "meshes.fig4",
    .paper = "meshes",
    .item = "Figure 4",
    .title = "blocks sent in each step in a 6 x 6 x 6 mesh",
    .method = "the judged plan of alltoall_mesh; printed: section 4 at this size",
    .parameters = mesh_and_broadcast_patterns_parts::kSpaceParameters,
    .make = mesh_and_broadcast_patterns_parts::fig4,
};

constinit const Exhibit broadcast_2000_fig1 = {
    .name = "2000.fig1",
    .paper = "broadcast_tori_2000",
    .item = "Figure 1",
    .title = "stage 1 in two dimensions: from the source to the diagonal",
    .method = mesh_and_broadcast_patterns_parts::kSpans,
    .parameters = mesh_and_broadcast_patterns_parts::kTwoParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kFig1>,
};

constinit const Exhibit broadcast_2000_fig2 = {
    .name = "2000.fig2",
    .paper = "broadcast_tori_2000",
    .item = "Figure 2",
    .title = "stage 2 in two dimensions: from diagonal to diagonals",
    .method = mesh_and_broadcast_patterns_parts::kSpans,
    .parameters = mesh_and_broadcast_patterns_parts::kTwoParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kFig2>,
};

constinit const Exhibit broadcast_2000_fig3 = {
    .name = "2000.fig3",
    .paper = "broadcast_tori_2000",
    .item = "Figure 3",
    .title = "stage 1 in three dimensions: from the source to a line",
    .method = mesh_and_broadcast_patterns_parts::kSpans,
    .parameters = mesh_and_broadcast_patterns_parts::kThreeParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kFig3>,
};

constinit const Exhibit broadcast_2000_fig4 = {
    .name = "2000.fig4",
    .paper = "broadcast_tori_2000",
    .item = "Figure 4",
    .title = "the parts that the stages cut a torus into",
    .method = "the judged plan of broadcast_spans, by who sends",
    .parameters = mesh_and_broadcast_patterns_parts::kThreeParameters,
    .make = mesh_and_broadcast_patterns_parts::cuts_in_seven,
};

constinit const Exhibit broadcast_2000_fig5 = {
    .name = "2000.fig5",
    .paper = "broadcast_tori_2000",
    .item = "Figure 5",
    .title = "stage 2 in three dimensions: from line to lines",
    .method = mesh_and_broadcast_patterns_parts::kSpans,
    .parameters = mesh_and_broadcast_patterns_parts::kThreeParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kFig5>,
};

constinit const Exhibit broadcast_2000_fig7 = {
    .name = "2000.fig7",
    .paper = "broadcast_tori_2000",
    .item = "Figure 7",
    .title = "the first alignment in four dimensions",
    .method = mesh_and_broadcast_patterns_parts::kSpans,
    .parameters = mesh_and_broadcast_patterns_parts::kFourParameters,
    .make = drawn<mesh_and_broadcast_patterns_parts::kFig7>,
};

}  // namespace quadrille::exhibit
