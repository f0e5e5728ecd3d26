// Figures of chapter 3 of the dissertation: broadcasting and scattering from one node.
#include <fmt/format.h>

#include <array>

#include "quadrille/reproduce/drawn_plan.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit dissertation_fig3_1;
extern const Exhibit dissertation_fig3_2;
extern const Exhibit dissertation_fig3_3;
extern const Exhibit dissertation_fig3_4;
extern const Exhibit dissertation_fig3_6;
extern const Exhibit dissertation_fig3_7;

namespace dissertation_1996_single_source_parts {
namespace {

constexpr std::string_view kPlans = "plans, judged; printed: the number of steps that the text gives";

Model all_ports() { return {}; }

// --- figures 3.1 to 3.3: broadcasting ---------------------------------------------------------------------

constexpr DrawnPlan kCube = {
    .topology = [](uint64_t d) { return fmt::format("hypercube({})", d); },
    .collective = CollectiveKind::kBroadcast,
    .model = all_ports,
    .algorithm = "broadcast_product_tree",
    .steps = [](uint64_t d) { return d; },
};
constexpr std::array kCubeSizes = {3.0};
constexpr std::array kCubeParameters = {Parameter{
    .name = "size", .meaning = "d, the cube is Q_d,", .printed = kCubeSizes, .least = 1, .most = 16}};

// The diameter, ceil(floor(n/2)/2).
constexpr DrawnPlan kExtendedRing = {
    .topology = [](uint64_t n) { return fmt::format("extended_ring({},2)", n); },
    .collective = CollectiveKind::kBroadcast,
    .model = all_ports,
    .algorithm = "broadcast_extended_ring",
    .steps = [](uint64_t n) { return (n / 2 + 1) / 2; },
};
constexpr std::array kExtendedRingSizes = {14.0};
constexpr std::array kExtendedRingParameters = {Parameter{.name = "size",
                                                          .meaning = "n, the ring is E_n^2,",
                                                          .printed = kExtendedRingSizes,
                                                          .least = 6,
                                                          .most = 10000}};

constexpr DrawnPlan kMesh = {
    .topology = [](uint64_t) { return std::string("mesh(3,4,2)"); },
    .collective = CollectiveKind::kBroadcast,
    .model = all_ports,
    .algorithm = "broadcast_product_tree",
    .root = "12",
    .steps = [](uint64_t) { return uint64_t{4}; },
};

// --- figure 3.4: when the bound on scattering is not met, and when a tree is not enough --------------------

uint64_t printed_bound(const Problem& problem, NodeId source) {
  const uint64_t others = problem.topology().num_nodes() - 1;
  const uint64_t degree = problem.topology().out_degree(source);
  return (others + degree - 1) / degree;
}

Reproduction fig3_4(const Settings&) {
  Sheet out{.columns = {{"part"}, {"network"}, {"source"}, {"steps"}, {"bound (3.3)"}, {"best bound"}}};
  const auto add = [&](std::string_view part, std::string_view spec, uint32_t root, std::string_view steps,
                       std::string_view bound) {
    const Problem problem = problem_on(spec, CollectiveKind::kScatter, {}, root);
    out.rows.push_back({part, problem.topology().name(), problem.topology().label(NodeId{root}),
                        judged(problem, "scatter_flow").steps_cell().in_print(std::string(steps)),
                        Cell(printed_bound(problem, NodeId{root})).in_print(std::string(bound)),
                        least_steps(problem)});
  };
  add("(a)", "line(5)", 1, "3", "2");
  add("(b)", "edges(\"v a, v b, a c, b c, c d, c e\")", 5, "3", "3");
  return {
      .sheets = {std::move(out)},
      .notes = {
          "The drawings are lost; these networks show what the text says of them. In (b) both spanning trees "
          "take 4 steps."}};
}

// --- figures 3.6 and 3.7: scattering in tori --------------------------------------------------------------

Reproduction fig3_6(const Settings& settings) {
  Sheet out{.title = "Scattering in n x m tori, all ports",
            .columns = {{"n"}, {"m"}, {"case"}, {"steps"}, {"bound"}}};
  const std::vector<uint64_t> sides = settings.whole("size");
  for (const uint64_t n : sides) {
    for (const uint64_t m : sides) {
      const uint64_t which = n % 2 == 1 ? (m % 2 == 1 ? 1U : 3U) : (m % 2 == 1 ? 2U : 4U);
      const Problem problem = problem_on(fmt::format("torus({},{})", n, m), CollectiveKind::kScatter, {});
      out.rows.push_back(
          {n, m, which,
           judged(problem, "scatter_torus").steps_cell().in_print(fmt::format("{}", (n * m + 2) / 4)),
           least_steps(problem)});
    }
  }
  return {.sheets = {std::move(out)}};
}

constexpr std::array kTorusSides = {4.0, 5.0, 6.0, 7.0};
constexpr std::array kTorusParameters = {Parameter{.name = "size",
                                                   .meaning = "n and m, the sides of the torus,",
                                                   .printed = kTorusSides,
                                                   .least = 4,
                                                   .most = 64}};

constexpr DrawnPlan kSevenBySeven = {
    .topology = [](uint64_t n) { return fmt::format("torus({0},{0})", n); },
    .collective = CollectiveKind::kScatter,
    .model = all_ports,
    .algorithm = "scatter_torus",
    .steps = [](uint64_t n) { return (n * n + 2) / 4; },
};
constexpr std::array kSeven = {7.0};
constexpr std::array kSevenParameters = {Parameter{
    .name = "size", .meaning = "n, the torus is n x n,", .printed = kSeven, .least = 4, .most = 200}};

}  // namespace
}  // namespace dissertation_1996_single_source_parts

constinit const Exhibit dissertation_fig3_1 = {
    .name = "1996.fig3.1",
    .paper = "dissertation_1996",
    .item = "Figure 3.1",
    .title = "broadcasting in Q_3",
    .method = dissertation_1996_single_source_parts::kPlans,
    .parameters = dissertation_1996_single_source_parts::kCubeParameters,
    .make = drawn<dissertation_1996_single_source_parts::kCube>,
};

constinit const Exhibit dissertation_fig3_2 = {
    .name = "1996.fig3.2",
    .paper = "dissertation_1996",
    .item = "Figure 3.2",
    .title = "broadcasting in the extended ring of 14 nodes",
    .method = dissertation_1996_single_source_parts::kPlans,
    .parameters = dissertation_1996_single_source_parts::kExtendedRingParameters,
    .make = drawn<dissertation_1996_single_source_parts::kExtendedRing>,
};

constinit const Exhibit dissertation_fig3_3 = {
    .name = "1996.fig3.3",
    .paper = "dissertation_1996",
    .item = "Figure 3.3",
    .title = "broadcasting from (2,3,1), here (1,2,0), in the 3 x 4 x 2 mesh",
    .method = dissertation_1996_single_source_parts::kPlans,
    .make = drawn<dissertation_1996_single_source_parts::kMesh>,
};

constinit const Exhibit dissertation_fig3_4 = {
    .name = "1996.fig3.4",
    .paper = "dissertation_1996",
    .item = "Figure 3.4",
    .title = "scattering where the bound cannot be met, and where no tree meets it",
    .method = dissertation_1996_single_source_parts::kPlans,
    .make = dissertation_1996_single_source_parts::fig3_4,
};

constinit const Exhibit dissertation_fig3_6 = {
    .name = "1996.fig3.6",
    .paper = "dissertation_1996",
    .item = "Figure 3.6",
    .title = "the four cases of dividing a torus for scattering",
    .method = "plans, judged; printed: ceil((nm-1)/4), which balanced regions give",
    .parameters = dissertation_1996_single_source_parts::kTorusParameters,
    .make = dissertation_1996_single_source_parts::fig3_6,
};

constinit const Exhibit dissertation_fig3_7 = {
    .name = "1996.fig3.7",
    .paper = "dissertation_1996",
    .item = "Figure 3.7",
    .title = "scattering in the 7 x 7 torus",
    .method = dissertation_1996_single_source_parts::kPlans,
    .parameters = dissertation_1996_single_source_parts::kSevenParameters,
    .make = drawn<dissertation_1996_single_source_parts::kSevenBySeven>,
};

}  // namespace quadrille::exhibit
