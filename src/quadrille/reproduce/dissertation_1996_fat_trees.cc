// Tables and figures of chapter 6 of the dissertation: communications in fat trees.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/compile/compile.h"
#include "quadrille/reproduce/drawn_plan.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit dissertation_fig6_3;
extern const Exhibit dissertation_fig6_4;
extern const Exhibit dissertation_fig6_6;
extern const Exhibit dissertation_fig6_7;
extern const Exhibit dissertation_fig6_8;
extern const Exhibit dissertation_table6_1;
extern const Exhibit dissertation_fig6_9;
extern const Exhibit dissertation_fig6_10;
extern const Exhibit dissertation_fig6_11;
extern const Exhibit dissertation_table6_2;

namespace dissertation_1996_fat_trees_parts {
namespace {

// A complete k-ary tree of height h with n = k^h leaves.
struct Tree {
  uint64_t k;
  uint64_t h;

  [[nodiscard]] uint64_t leaves() const {
    uint64_t n = 1;
    for (uint64_t i = 0; i < h; ++i) n *= k;
    return n;
  }
  [[nodiscard]] std::string spec() const { return fmt::format("fat_tree({}^{})", k, h); }
};

// Larger trees are left out of default tables and refused otherwise.
constexpr uint64_t kMostLeaves = 300;

std::vector<Tree> trees(const Settings& settings) {
  std::vector<Tree> out;
  for (const uint64_t k : settings.whole("arity")) {
    for (const uint64_t h : settings.whole("size")) {
      if (const Tree tree{k, h}; tree.leaves() <= kMostLeaves) out.push_back(tree);
    }
  }
  return out;
}

constexpr std::array kArities = {2.0, 3.0, 4.0};
constexpr std::array kHeights = {2.0, 3.0};
constexpr std::array kTwo = {2.0};
constexpr Parameter kHeight = {
    .name = "size", .meaning = "h, the height of the tree,", .printed = kHeights, .least = 2, .most = 8};
constexpr std::array kTreeParameters = {kHeight, Parameter{.name = "arity",
                                                           .meaning = "k, the children of a node,",
                                                           .printed = kArities,
                                                           .least = 2,
                                                           .most = 16}};
constexpr std::array kBinaryParameters = {Parameter{
    .name = "size", .meaning = "h, the tree has 2^h leaves,", .printed = kTwo, .least = 2, .most = 6}};

Model single_port() { return packet_ports(1, 0); }
Model all_ports() { return {}; }

std::string text(uint64_t value) { return fmt::format("{}", value); }

std::vector<std::string> left_out(const Settings& settings) {
  const size_t all = settings.whole("arity").size() * settings.whole("size").size();
  if (trees(settings).size() == all) return {};
  return {fmt::format("Trees of more than {} leaves are left out.", kMostLeaves)};
}

// --- one problem over trees -------------------------------------------------------------------------------

struct OverTrees {
  std::string_view title;
  CollectiveKind collective;
  Model (*model)();
  std::string_view algorithm;
  uint64_t (*printed)(const Tree& tree);
  std::string_view misprint = {};
};

Reproduction over_trees(const OverTrees& what, const Settings& settings) {
  Sheet out{.title = std::string(what.title), .columns = {{"k"}, {"h"}, {"n"}, {"steps"}, {"bound"}}};
  for (const Tree& tree : trees(settings)) {
    const Problem problem = problem_on(tree.spec(), what.collective, what.model());
    out.rows.push_back({tree.k, tree.h, tree.leaves(),
                        judged(problem, std::string(what.algorithm))
                            .steps_cell()
                            .in_print(text(what.printed(tree)), what.misprint),
                        least_steps(problem)});
  }
  return {.sheets = {std::move(out)}, .notes = left_out(settings)};
}

uint64_t broadcasting(const Tree& t) { return (t.k + 1) * t.h - 1; }
uint64_t scattering(const Tree& t) { return t.leaves() + (t.k == 2 ? 1 : 0); }
uint64_t multinode(const Tree& t) { return t.k * t.leaves() + (t.k + 1) * (t.h - 2) + 1; }
// n^2 (2k+1)(k-1)/k^3 + 2h - 3, a whole number from h = 2 on.
uint64_t total_exchange(const Tree& t) {
  const uint64_t n = t.leaves();
  return n * n * (2 * t.k + 1) * (t.k - 1) / (t.k * t.k * t.k) + 2 * t.h - 3;
}

constexpr std::string_view kTotalExchange =
    "total exchange for k >= 3: n^2 (k-1)/k + 2h - 1, which the bound forces; the printed formula is right for k = 2 alone";

constexpr OverTrees kFig64 = {"Broadcasting from a leaf, single-port", CollectiveKind::kBroadcast,
                              single_port, "broadcast_fat_tree", broadcasting};
constexpr OverTrees kFig66 = {"Multinode broadcasting, single-port", CollectiveKind::kAllgather, single_port,
                              "allgather_fat_tree_queues", multinode};
constexpr OverTrees kFig68 = {"Total exchange, single-port",
                              CollectiveKind::kAlltoall,
                              single_port,
                              "alltoall_fat_tree_queues",
                              total_exchange,
                              kTotalExchange};

Reproduction fig6_4(const Settings& settings) { return over_trees(kFig64, settings); }
Reproduction fig6_6(const Settings& settings) { return over_trees(kFig66, settings); }
Reproduction fig6_8(const Settings& settings) { return over_trees(kFig68, settings); }

// From the root of a tree of processors: k l steps, (6.2).
Reproduction fig6_3(const Settings& settings) {
  Sheet out{.title = "Broadcasting from the root of a complete tree of processors, single-port",
            .columns = {{"k"}, {"height"}, {"nodes"}, {"steps"}}};
  for (const Tree& tree : trees(settings)) {
    std::string spec = fmt::format("tree({}", tree.k);
    for (uint64_t level = 1; level < tree.h; ++level) spec += fmt::format(",{}", tree.k);
    const uint64_t nodes = (tree.leaves() * tree.k - 1) / (tree.k - 1);
    const Problem problem =
        problem_on(spec + ")", CollectiveKind::kBroadcast, single_port(), static_cast<uint32_t>(nodes - 1));
    out.rows.push_back({tree.k, tree.h, nodes,
                        judged(problem, "broadcast_bfs_tree").steps_cell().in_print(text(tree.k * tree.h))});
  }
  return {.sheets = {std::move(out)}, .notes = left_out(settings)};
}

// --- figures 6.7 and 6.9: four leaves ---------------------------------------------------------------------

std::string binary(uint64_t h) { return fmt::format("fat_tree(2^{})", h); }

constexpr DrawnPlan kFig67 = {
    .topology = binary,
    .collective = CollectiveKind::kAllgather,
    .model = single_port,
    .algorithm = "allgather_fat_tree_queues",
    .steps =
        [](uint64_t h) {
          return multinode(Tree{2, h});
        },
};
constexpr DrawnPlan kFig69 = {
    .topology = binary,
    .collective = CollectiveKind::kAllgather,
    .model = all_ports,
    .algorithm = "allgather_fat_tree_wide",
    .steps = [](uint64_t h) { return (uint64_t{1} << h) + 1; },
};

// --- figures 6.10 and 6.11: without queues ----------------------------------------------------------------

uint64_t longest_queue(const Problem& problem, const std::string& algorithm) {
  const Compiled made = compile(problem, {.algorithm = algorithm, .stored = false, .queues = true});
  return made.verdict.queues->link;
}

constexpr std::string_view kPhasesOverlap =
    "(6.3) has the phases one after the other; overlapped they take n + 2h - 2 steps or less";

Reproduction fig6_10(const Settings& settings) {
  Sheet out{.title = "Multinode broadcasting phase by phase, all ports, capacities 1",
            .columns = {{"k"}, {"h"}, {"n"}, {"steps"}, {"longest queue"}, {"bound"}}};
  for (const Tree& tree : trees(settings)) {
    const Problem problem = problem_on(tree.spec(), CollectiveKind::kAllgather, all_ports());
    const uint64_t n = tree.leaves();
    const std::string algorithm = "allgather_fat_tree_queue_free";
    out.rows.push_back(
        {tree.k, tree.h, n,
         judged(problem, algorithm).steps_cell().in_print(text(n + tree.h * tree.h - 1), kPhasesOverlap),
         longest_queue(problem, algorithm), least_steps(problem)});
  }
  return {.sheets = {std::move(out)}, .notes = left_out(settings)};
}

// The sum over l of (k-1) k^(2l-2), and 2h - 1: (6.5) with capacities 1.
uint64_t queue_free_exchange(const Tree& tree) {
  uint64_t out = 2 * tree.h - 1;
  uint64_t power = 1;
  for (uint64_t l = 1; l <= tree.h; ++l, power *= tree.k * tree.k) out += (tree.k - 1) * power;
  return out;
}

Reproduction fig6_11(const Settings& settings) {
  Sheet out{.title = "Total exchange phase by phase, all ports, capacities 1",
            .columns = {{"k"}, {"h"}, {"n"}, {"steps"}, {"longest queue"}, {"bound"}}};
  for (const Tree& tree : trees(settings)) {
    const Problem problem = problem_on(tree.spec(), CollectiveKind::kAlltoall, all_ports());
    const std::string algorithm = "alltoall_fat_tree_queue_free";
    out.rows.push_back({tree.k, tree.h, tree.leaves(),
                        judged(problem, algorithm).steps_cell().in_print(text(queue_free_exchange(tree))),
                        Cell(longest_queue(problem, algorithm)).in_print("0"), least_steps(problem)});
  }
  return {.sheets = {std::move(out)}, .notes = left_out(settings)};
}

// --- tables 6.1 and 6.2 -----------------------------------------------------------------------------------

struct Row {
  std::string_view problem;
  CollectiveKind collective;
  std::string_view algorithm;
  uint64_t (*printed)(const Tree& tree);
  std::string_view misprint = {};
};

Sheet times(std::string_view title, std::span<const Row> rows, Model (*model)(), const Settings& settings) {
  Sheet out{.title = std::string(title), .columns = {{"k"}, {"h"}, {"n"}, {"problem"}, {"steps"}, {"bound"}}};
  for (const Tree& tree : trees(settings)) {
    for (const Row& row : rows) {
      const Problem problem = problem_on(tree.spec(), row.collective, model());
      Cell steps = judged(problem, std::string(row.algorithm)).steps_cell();
      if (row.printed != nullptr) steps = steps.in_print(text(row.printed(tree)), row.misprint);
      out.rows.push_back({tree.k, tree.h, tree.leaves(), row.problem, steps, least_steps(problem)});
    }
  }
  return out;
}

constexpr std::array kSinglePort = {
    Row{"broadcasting", CollectiveKind::kBroadcast, "broadcast_fat_tree", broadcasting},
    Row{"scattering", CollectiveKind::kScatter, "scatter_furthest_first", scattering},
    Row{"gathering", CollectiveKind::kGather, "gather_furthest_first", scattering},
    Row{"multinode broadcasting", CollectiveKind::kAllgather, "allgather_fat_tree_queues", multinode},
    Row{"total exchange", CollectiveKind::kAlltoall, "alltoall_fat_tree_queues", total_exchange,
        kTotalExchange},
};

constexpr std::string_view kBroadcasting =
    "broadcasting takes 2h steps, as section 6.3.1 says; 2h - 1 is printed";
constexpr std::string_view kNotTight =
    "total exchange: the table prints what it takes at least, n^2 (k-1)/(k^2 c_h) + 2h - 1";

// n^2 (k-1)/(k^2 c_h) + 2h - 1 with c_h = 1.
uint64_t exchange_at_least(const Tree& tree) {
  const uint64_t n = tree.leaves();
  return n * n * (tree.k - 1) / (tree.k * tree.k) + 2 * tree.h - 1;
}

constexpr std::array kMultiport = {
    Row{"broadcasting", CollectiveKind::kBroadcast, "broadcast_fat_tree",
        [](const Tree& t) { return 2 * t.h - 1; }, kBroadcasting},
    Row{"scattering", CollectiveKind::kScatter, "scatter_fat_tree", scattering},
    Row{"gathering", CollectiveKind::kGather, "gather_fat_tree", scattering},
    Row{"multinode broadcasting", CollectiveKind::kAllgather, "allgather_fat_tree_wide", scattering},
    Row{"total exchange", CollectiveKind::kAlltoall, "alltoall_fat_tree_earliest_fit", exchange_at_least,
        kNotTight},
};

Reproduction table6_1(const Settings& settings) {
  return {.sheets = {times("Single-port times", kSinglePort, single_port, settings)},
          .notes = left_out(settings)};
}

Reproduction table6_2(const Settings& settings) {
  return {.sheets = {times("Multiport times, capacities 1", kMultiport, all_ports, settings)},
          .notes = left_out(settings)};
}

constexpr std::string_view kFormula = "plans, judged; printed: the formula of the text at k and h";
constexpr std::string_view kSteps = "plans, judged; printed: the number of steps that the text gives";

}  // namespace
}  // namespace dissertation_1996_fat_trees_parts

constinit const Exhibit dissertation_fig6_3 = {
    .name = "1996.fig6.3",
    .paper = "dissertation_1996",
    .item = "Figure 6.3",
    .title = "broadcasting from the root of a tree, one message at a time",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_3,
};

constinit const Exhibit dissertation_fig6_4 = {
    .name = "1996.fig6.4",
    .paper = "dissertation_1996",
    .item = "Figure 6.4",
    .title = "broadcasting in fat trees, single-port",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_4,
};

constinit const Exhibit dissertation_fig6_6 = {
    .name = "1996.fig6.6",
    .paper = "dissertation_1996",
    .item = "Figure 6.6",
    .title = "multinode broadcasting in fat trees, single-port",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_6,
};

constinit const Exhibit dissertation_fig6_7 = {
    .name = "1996.fig6.7",
    .paper = "dissertation_1996",
    .item = "Figure 6.7",
    .title = "multinode broadcasting in 4 leaves, single-port",
    .method = dissertation_1996_fat_trees_parts::kSteps,
    .parameters = dissertation_1996_fat_trees_parts::kBinaryParameters,
    .make = drawn<dissertation_1996_fat_trees_parts::kFig67>,
};

constinit const Exhibit dissertation_fig6_8 = {
    .name = "1996.fig6.8",
    .paper = "dissertation_1996",
    .item = "Figure 6.8",
    .title = "total exchange in fat trees, single-port",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_8,
};

constinit const Exhibit dissertation_table6_1 = {
    .name = "1996.table6.1",
    .paper = "dissertation_1996",
    .item = "Table 6.1",
    .title = "times of communications in fat trees, single-port",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::table6_1,
};

constinit const Exhibit dissertation_fig6_9 = {
    .name = "1996.fig6.9",
    .paper = "dissertation_1996",
    .item = "Figure 6.9",
    .title = "multinode broadcasting in 4 leaves by flooding",
    .method = dissertation_1996_fat_trees_parts::kSteps,
    .parameters = dissertation_1996_fat_trees_parts::kBinaryParameters,
    .make = drawn<dissertation_1996_fat_trees_parts::kFig69>,
};

constinit const Exhibit dissertation_fig6_10 = {
    .name = "1996.fig6.10",
    .paper = "dissertation_1996",
    .item = "Figure 6.10",
    .title = "multinode broadcasting without queues",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_10,
};

constinit const Exhibit dissertation_fig6_11 = {
    .name = "1996.fig6.11",
    .paper = "dissertation_1996",
    .item = "Figure 6.11",
    .title = "total exchange without queues",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::fig6_11,
};

constinit const Exhibit dissertation_table6_2 = {
    .name = "1996.table6.2",
    .paper = "dissertation_1996",
    .item = "Table 6.2",
    .title = "times of communications in fat trees, multiport",
    .method = dissertation_1996_fat_trees_parts::kFormula,
    .parameters = dissertation_1996_fat_trees_parts::kTreeParameters,
    .make = dissertation_1996_fat_trees_parts::table6_2,
};

}  // namespace quadrille::exhibit
