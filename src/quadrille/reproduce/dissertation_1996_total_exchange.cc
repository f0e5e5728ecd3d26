// Tables and figures of chapters 4 and 5 of the dissertation: total exchange in lines, rings, Cayley graphs and products;
// and those of the 1998 paper, which are the latter's.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "quadrille/reproduce/drawn_plan.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::exhibit {

extern const Exhibit dissertation_fig4_1;
extern const Exhibit dissertation_fig4_2;
extern const Exhibit dissertation_fig4_3;
extern const Exhibit dissertation_fig4_4;
extern const Exhibit dissertation_fig4_5;
extern const Exhibit dissertation_fig4_6;
extern const Exhibit dissertation_fig5_2;
extern const Exhibit dissertation_table5_1;
extern const Exhibit dissertation_table5_2;
extern const Exhibit dissertation_fig5_3;
extern const Exhibit dissertation_fig5_5;
extern const Exhibit total_exchange_1998_table1;
extern const Exhibit total_exchange_1998_table2;
extern const Exhibit total_exchange_1998_fig3;
extern const Exhibit total_exchange_1998_fig4;
extern const Exhibit total_exchange_1998_fig6;

namespace dissertation_1996_total_exchange_parts {
namespace {

constexpr std::string_view kPlans = "plans, judged; printed: the number of steps that the text gives";

std::string line(uint64_t n) { return fmt::format("line({})", n); }
std::string ring(uint64_t n) { return fmt::format("ring({})", n); }
std::string cube(uint64_t d) { return fmt::format("hypercube({})", d); }

Model all_ports() { return {}; }
Model one_port() { return packet_ports(1, 1); }

// --- lines and rings --------------------------------------------------------------------------------------

// Messages of each node that set out to its right, or clockwise, and those that arrive there so.
struct Rightward {
  std::vector<uint64_t> sent;
  std::vector<uint64_t> received;
};

Rightward rightward(const Problem& problem, const std::string& algorithm) {
  const uint32_t n = problem.topology().num_nodes();
  Rightward out{std::vector<uint64_t>(n), std::vector<uint64_t>(n)};
  watch(problem, algorithm, [&](const StepView& step) {
    for (size_t t = 0; t < step.size(); ++t) {
      const ArcId arc = step.arcs(t).front();
      const size_t from = index(problem.topology().tail(arc));
      const size_t to = index(problem.topology().head(arc));
      if (to != (from + 1) % n) continue;
      for (const BlockId block : step.blocks(t)) {
        if (index(problem.origin(block)) == from) ++out.sent[from];
        if (index(problem.destination(block)) == to) ++out.received[to];
      }
    }
  });
  return out;
}

Reproduction fig4_1(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Rightward found =
        rightward(problem_on(line(n), CollectiveKind::kAlltoall, all_ports()), "alltoall_line");
    Sheet sheet{.title = line(n),
                .columns = {{"node i"}, {"messages to its right"}, {"messages for it from its left"}}};
    for (uint64_t i = 1; i <= n; ++i)
      sheet.rows.push_back({i, Cell(found.sent[i - 1]).in_print(fmt::format("{}", n - i)),
                            Cell(found.received[i - 1]).in_print(fmt::format("{}", i - 1))});
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

Reproduction fig4_3(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Rightward found =
        rightward(problem_on(ring(n), CollectiveKind::kAlltoall, all_ports()), "alltoall_ring");
    Sheet sheet{.title = ring(n),
                .columns = {{"node i"}, {"clockwise messages"}, {"clockwise messages for it"}}};
    const std::string half = fmt::format("{}", (n - 1) / 2);
    for (uint64_t i = 0; i < n; ++i)
      sheet.rows.push_back({i, Cell(found.sent[i]).in_print(half), Cell(found.received[i]).in_print(half)});
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

constexpr std::array kSix = {6.0};
constexpr std::array kSeven = {7.0};
constexpr std::array kSevenAndSix = {7.0, 6.0};
constexpr std::array kLineParameters = {
    Parameter{.name = "size", .meaning = "n, the line is L_n,", .printed = kSix, .least = 2, .most = 200}};
constexpr std::array kRingParameters = {Parameter{
    .name = "size", .meaning = "n, the ring is R_n,", .printed = kSevenAndSix, .least = 3, .most = 200}};

bool is_odd(double n) { return static_cast<uint64_t>(n) % 2 == 1; }
constexpr std::array kOddRingParameters = {Parameter{.name = "size",
                                                     .meaning = "odd n, the ring is R_n,",
                                                     .printed = kSeven,
                                                     .least = 3,
                                                     .most = 201,
                                                     .allows = is_odd}};

constexpr DrawnPlan kLine = {
    .topology = line,
    .collective = CollectiveKind::kAlltoall,
    .model = all_ports,
    .algorithm = "alltoall_line",
    .steps = [](uint64_t n) { return (n * n + 2) / 4; },
};
constexpr DrawnPlan kRing = {
    .topology = ring,
    .collective = CollectiveKind::kAlltoall,
    .model = all_ports,
    .algorithm = "alltoall_ring",
    .steps = [](uint64_t n) { return (n * n + 6) / 8; },
};

// --- Cayley graphs ----------------------------------------------------------------------------------------

// Networks of section 4.4, with the status of a node where the text gives it.
struct Network {
  std::string_view spec;
  std::string_view status = {};
};
constexpr std::array kCayley = {
    Network{"complete(8)", "7"},
    Network{"ring(7)", "12"},
    Network{"ring(8)", "16"},
    Network{"hypercube(4)", "32"},
    Network{"extended_ring(14,2)"},
    Network{"torus(4,4)"},
    Network{"cube_connected_cycles(3)"},
    Network{"star(4)"},
    Network{"pancake(4)"},
    Network{"generalized_hypercube(4,5)"},
    Network{"hypercycle(4:2,5:1)"},
};

Reproduction fig4_5(const Settings&) {
  Sheet out{.title = "Total exchange in Cayley graphs, one port",
            .columns = {{"network"}, {"nodes"}, {"steps"}, {"bound"}}};
  for (const Network& network : kCayley) {
    const Problem problem = problem_on(network.spec, CollectiveKind::kAlltoall, one_port());
    out.rows.push_back({network.spec, problem.topology().num_nodes(),
                        judged(problem, "alltoall_cayley").steps_cell().in_print(std::string(network.status)),
                        least_steps(problem)});
  }
  return {.sheets = {std::move(out)},
          .notes = {
              "The bound is the status of a node, (4.5): the algorithm is optimal wherever both are equal."}};
}

constexpr DrawnPlan kCube = {
    .topology = cube,
    .collective = CollectiveKind::kAlltoall,
    .model = one_port,
    .algorithm = "alltoall_hypercube",
    .steps = [](uint64_t d) { return d << (d - 1); },
};
constexpr std::array kThree = {3.0};
constexpr std::array kCubeParameters = {
    Parameter{.name = "size", .meaning = "d, the cube is Q_d,", .printed = kThree, .least = 1, .most = 10}};

// --- products ---------------------------------------------------------------------------------------------

// Messages of node (1,1) of H x H, by the copy of A that they go to.
Sheet batches(const Topology& net, uint64_t n, bool has_names) {
  Sheet out{.title =
                fmt::format("Messages of node (1,1) of {}, by the copy of A that they go to", net.name())};
  if (has_names) out.columns.push_back({"batch"});
  for (uint64_t k = 0; k < n; ++k) out.columns.push_back({fmt::format("for A_{}", k + 1)});
  out.rows.assign(n, std::vector<Cell>(out.columns.size()));
  if (has_names)
    for (uint64_t r = 0; r < n; ++r) out.rows[r][0] = fmt::format("R_{}", r + 1);
  return out;
}

std::string message(uint64_t row, uint64_t column) {
  return fmt::format("m_(1,1)({},{})", row + 1, column + 1);
}

// By A2: a batch is what a round of the exchanges in the copies of B moves; what stays in its copy of A has none.
Reproduction table5_1(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(fmt::format("torus({0},{0})", n), CollectiveKind::kAlltoall, one_port());
    const Topology& net = problem.topology();
    const uint64_t round = *predicted(problem, "alltoall_product").steps / (2 * n);
    Sheet sheet = batches(net, n, true);
    uint64_t now = 0;
    watch(problem, "alltoall_product", [&](const StepView& step) {
      for (const BlockId block : step.all_blocks) {
        if (index(problem.origin(block)) != 0) continue;
        const uint64_t row = net.product()->coordinate(problem.destination(block), 0);
        const uint64_t column = net.product()->coordinate(problem.destination(block), 1);
        Cell& cell = sheet.rows[column == 0 ? row : std::min(now / round, n - 1)][column + 1];
        if (cell.is_empty() && (column == 0 || now / round < n)) cell = message(row, column);
      }
      ++now;
    });
    for (uint64_t r = 0; r < n; ++r) {
      for (uint64_t k = 0; k < n; ++k) {
        if (r + k == 0) continue;
        sheet.rows[r][k + 1] = sheet.rows[r][k + 1].in_print(message(r, k));
      }
    }
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

// By A3: a message waits in the last copy of A that it reaches, where its column is that of its destination.
Reproduction table5_2(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const bool is_printed = settings.as_printed();
    const Problem problem =
        problem_on(fmt::format("mesh({0},{0})", n), CollectiveKind::kAlltoall, all_ports());
    const Topology& net = problem.topology();
    Sheet sheet = batches(net, n, false);
    sheet.rows[0][0] = Cell("-").in_print(is_printed ? "-" : "");
    watch(problem, "alltoall_product_a3", [&](const StepView& step) {
      for (size_t t = 0; t < step.size(); ++t) {
        const NodeId to = net.head(step.arcs(t).back());
        for (const BlockId block : step.blocks(t)) {
          if (index(problem.origin(block)) != 0) continue;
          const uint64_t copy = net.product()->coordinate(to, 1);
          const NodeId target = problem.destination(block);
          if (copy != net.product()->coordinate(target, 1)) continue;
          const uint64_t row = net.product()->coordinate(target, 0);
          sheet.rows[row][copy] = Cell(message(row, copy)).in_print(is_printed ? message(row, copy) : "");
        }
      }
    });
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

constexpr std::array kFour = {4.0};
constexpr std::array kThreeToFive = {3.0, 4.0, 5.0};
constexpr std::array kTable51Parameters = {Parameter{.name = "size",
                                                     .meaning = "n, the network is an n x n torus,",
                                                     .printed = kFour,
                                                     .least = 2,
                                                     .most = 16}};
constexpr std::array kTable52Parameters = {Parameter{.name = "size",
                                                     .meaning = "n, the network is an n x n mesh,",
                                                     .printed = kThree,
                                                     .least = 2,
                                                     .most = 16}};

// Products on which A1 and A2 are shown: those of the text, or of the sizes that are asked for.
std::vector<std::string> products(const Settings& settings) {
  if (settings.as_printed()) {
    return {"torus(4,4)",
            "torus(3,5)",
            "torus(4,3)",
            "torus(4,4,4)",
            "hypercube(6)",
            "mesh(3,3)",
            "generalized_hypercube(4,5)",
            "hypercycle(4:2,5:1)",
            "product(ring(5),complete(4))"};
  }
  std::vector<std::string> out;
  for (const uint64_t n : settings.whole("size")) {
    for (const std::string_view family : {"torus({0},{0})", "mesh({0},{0})",
                                          "product(ring({0}),complete({0}))", "product(line({0}),tree(2,2))"})
      out.push_back(fmt::format(fmt::runtime(family), n));
    if (n <= 8) out.push_back(fmt::format("torus({0},{0},{0})", n));
  }
  return out;
}

uint64_t factor_steps(const Topology& factor) {
  return judged(standard_problem(factor, CollectiveKind::kAlltoall, one_port()), "auto").steps;
}

// A1 in two phases: moving takes n_2 (n_2 - 1) (n_1 - 1) + S_B steps, for every node of A where the copies of B move one
// after the other; then n_2 exchanges of A, which are A1's where that is a product.
uint64_t a1_steps(const Topology& product, bool at_once) {
  const std::vector<Topology>& factors = product.product()->factors;
  uint64_t steps = factor_steps(factors.front());
  uint64_t nodes = factors.front().num_nodes();
  for (size_t i = 1; i < factors.size(); ++i) {
    const Topology& b = factors[i];
    uint64_t distances = 0;
    for (const NodeId v : b.nodes()) distances += status(b, v);
    const uint64_t size = b.num_nodes();
    steps = (at_once ? 1 : nodes) * (size * (size - 1) * (nodes - 1) + distances) + size * steps;
    nodes *= size;
  }
  return steps;
}

Reproduction algorithm_a1(const Settings& settings) {
  Sheet out{.title = "Algorithm A1 on products, one port",
            .columns = {{"network"}, {"A1"}, {"copies of B at once"}, {"A2"}, {"bound"}}};
  for (const std::string& spec : products(settings)) {
    const Problem problem = problem_on(spec, CollectiveKind::kAlltoall, one_port());
    const Topology& net = problem.topology();
    const auto steps = [&](const std::string& card) { return judged(problem, card).steps_cell(); };
    out.rows.push_back(
        {net.name(), steps("alltoall_product_a1").in_print(fmt::format("{}", a1_steps(net, false))),
         steps("alltoall_product_a1_parallel").in_print(fmt::format("{}", a1_steps(net, true))),
         steps("alltoall_product"), least_steps(problem)});
  }
  return {
      .sheets = {std::move(out)},
      .notes = {
          "Printed is the text's own time, n_1 (n_2 (n_2-1) (n_1-1) + S_B) + n_2 T_A with S_B the sum of all "
          "distances of B, and without the first factor where all copies of B move at once; A2 stands beside."}};
}

// A2 on products, one port: n times the sum of T_i / |V_i|, with the factors' own best times.
Reproduction algorithm_a2(const Settings& settings) {
  Sheet out{.title = "Algorithm A2 on products, one port",
            .columns = {{"network"}, {"n sum T_i/|V_i|"}, {"A2"}, {"best here"}, {"bound"}}};
  for (const std::string& spec : products(settings)) {
    const Problem problem = problem_on(spec, CollectiveKind::kAlltoall, one_port());
    const uint64_t n = problem.topology().num_nodes();
    uint64_t sum = 0;
    for (const Topology& factor : problem.topology().product()->factors)
      sum += n / factor.num_nodes() * factor_steps(factor);
    out.rows.push_back({problem.topology().name(), sum,
                        judged(problem, "alltoall_product").steps_cell().in_print(fmt::format("{}", sum)),
                        judged(problem, "auto").steps_cell(), least_steps(problem)});
  }
  return {.sheets = {std::move(out)}};
}

// A3 on H x H, all ports: n times T_H.
Reproduction algorithm_a3(const Settings& settings) {
  Sheet out{.title = "Algorithm A3 on H x H, all ports",
            .columns = {{"n"}, {"network"}, {"n T_H"}, {"A3"}, {"our rounds"}, {"bound"}}};
  for (const uint64_t n : settings.whole("size")) {
    for (const std::string_view family : {"mesh({0},{0})", "torus({0},{0})"}) {
      const Problem problem =
          problem_on(fmt::format(fmt::runtime(family), n), CollectiveKind::kAlltoall, all_ports());
      const Problem inner = standard_problem(problem.topology().product()->factors.front(),
                                             CollectiveKind::kAlltoall, all_ports());
      const uint64_t steps = n * judged(inner, "auto").steps;
      out.rows.push_back(
          {n, problem.topology().name(), steps,
           judged(problem, "alltoall_product_a3").steps_cell().in_print(fmt::format("{}", steps)),
           judged(problem, "alltoall_product_rounds").steps_cell(), least_steps(problem)});
    }
  }
  return {.sheets = {std::move(out)}};
}

constexpr std::array kSides = {3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
constexpr std::array kA3Parameters = {
    Parameter{.name = "size", .meaning = "n, the nodes of H,", .printed = kSides, .least = 3, .most = 16}};

constexpr std::array kProductParameters = {Parameter{.name = "size",
                                                     .meaning = "n, the factors have n nodes,",
                                                     .printed = kThreeToFive,
                                                     .least = 2,
                                                     .most = 12}};

constexpr std::string_view kBatches = "rounds of the judged plan of A2, alltoall_product";
constexpr std::string_view kA3Batches = "the judged plan of A3, alltoall_product_a3";
constexpr std::string_view kA1Method =
    "plans of alltoall_product_a1 and _a1_parallel, judged; printed: the text's formula over the factors";
constexpr std::string_view kA2Method =
    "plans of alltoall_product, judged; printed: the formula over the factors' own plans";
constexpr std::string_view kA3Method =
    "plans of alltoall_product_a3, judged, beside ours; printed: n times the factor's own plan";

}  // namespace
}  // namespace dissertation_1996_total_exchange_parts

constinit const Exhibit dissertation_fig4_1 = {
    .name = "1996.fig4.1",
    .paper = "dissertation_1996",
    .item = "Figure 4.1",
    .title = "rightward messages of the nodes of a line",
    .method = "first hops of a judged plan",
    .parameters = dissertation_1996_total_exchange_parts::kLineParameters,
    .make = dissertation_1996_total_exchange_parts::fig4_1,
};

constinit const Exhibit dissertation_fig4_2 = {
    .name = "1996.fig4.2",
    .paper = "dissertation_1996",
    .item = "Figure 4.2",
    .title = "total exchange in the line of 6 nodes",
    .method = dissertation_1996_total_exchange_parts::kPlans,
    .parameters = dissertation_1996_total_exchange_parts::kLineParameters,
    .make = drawn<dissertation_1996_total_exchange_parts::kLine>,
};

constinit const Exhibit dissertation_fig4_3 = {
    .name = "1996.fig4.3",
    .paper = "dissertation_1996",
    .item = "Figure 4.3",
    .title = "clockwise messages in an odd ring",
    .method = "first hops of a judged plan",
    .parameters = dissertation_1996_total_exchange_parts::kOddRingParameters,
    .make = dissertation_1996_total_exchange_parts::fig4_3,
};

constinit const Exhibit dissertation_fig4_4 = {
    .name = "1996.fig4.4",
    .paper = "dissertation_1996",
    .item = "Figure 4.4",
    .title = "total exchange in rings of 7 and of 6 nodes",
    .method = dissertation_1996_total_exchange_parts::kPlans,
    .parameters = dissertation_1996_total_exchange_parts::kRingParameters,
    .make = drawn<dissertation_1996_total_exchange_parts::kRing>,
};

constinit const Exhibit dissertation_fig4_5 = {
    .name = "1996.fig4.5",
    .paper = "dissertation_1996",
    .item = "Figure 4.5",
    .title = "the algorithm for Cayley networks, on several",
    .method = "plans of alltoall_cayley, judged; printed: the status of a node, where the text has a formula",
    .make = dissertation_1996_total_exchange_parts::fig4_5,
};

constinit const Exhibit dissertation_fig4_6 = {
    .name = "1996.fig4.6",
    .paper = "dissertation_1996",
    .item = "Figure 4.6",
    .title = "the algorithm for hypercubes",
    .method = dissertation_1996_total_exchange_parts::kPlans,
    .parameters = dissertation_1996_total_exchange_parts::kCubeParameters,
    .make = drawn<dissertation_1996_total_exchange_parts::kCube>,
};

constinit const Exhibit dissertation_table5_1 = {
    .name = "1996.table5.1",
    .paper = "dissertation_1996",
    .item = "Table 5.1",
    .title = "the batches of messages of a node of a product",
    .method = dissertation_1996_total_exchange_parts::kBatches,
    .parameters = dissertation_1996_total_exchange_parts::kTable51Parameters,
    .make = dissertation_1996_total_exchange_parts::table5_1,
};

constinit const Exhibit dissertation_table5_2 = {
    .name = "1996.table5.2",
    .paper = "dissertation_1996",
    .item = "Table 5.2",
    .title = "the batches of node (1,1) of the 3 x 3 mesh",
    .method = dissertation_1996_total_exchange_parts::kA3Batches,
    .parameters = dissertation_1996_total_exchange_parts::kTable52Parameters,
    .make = dissertation_1996_total_exchange_parts::table5_2,
};

constinit const Exhibit dissertation_fig5_2 = {
    .name = "1996.fig5.2",
    .paper = "dissertation_1996",
    .item = "Figure 5.2",
    .title = "algorithm A1: total exchange in products, one port",
    .method = dissertation_1996_total_exchange_parts::kA1Method,
    .parameters = dissertation_1996_total_exchange_parts::kProductParameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a1,
};

constinit const Exhibit dissertation_fig5_3 = {
    .name = "1996.fig5.3",
    .paper = "dissertation_1996",
    .item = "Figure 5.3",
    .title = "algorithm A2: total exchange in products, one port",
    .method = dissertation_1996_total_exchange_parts::kA2Method,
    .parameters = dissertation_1996_total_exchange_parts::kProductParameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a2,
};

constinit const Exhibit dissertation_fig5_5 = {
    .name = "1996.fig5.5",
    .paper = "dissertation_1996",
    .item = "Figure 5.5",
    .title = "algorithm A3: total exchange in homogeneous products, all ports",
    .method = dissertation_1996_total_exchange_parts::kA3Method,
    .parameters = dissertation_1996_total_exchange_parts::kA3Parameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a3,
};

constinit const Exhibit total_exchange_1998_table1 = {
    .name = "1998.table1",
    .paper = "total_exchange_1998",
    .item = "Table 1",
    .title = "the batches of messages of a node of a product",
    .method = dissertation_1996_total_exchange_parts::kBatches,
    .parameters = dissertation_1996_total_exchange_parts::kTable51Parameters,
    .make = dissertation_1996_total_exchange_parts::table5_1,
};

constinit const Exhibit total_exchange_1998_table2 = {
    .name = "1998.table2",
    .paper = "total_exchange_1998",
    .item = "Table 2",
    .title = "the batches of node (1,1) of the 3 x 3 mesh",
    .method = dissertation_1996_total_exchange_parts::kA3Batches,
    .parameters = dissertation_1996_total_exchange_parts::kTable52Parameters,
    .make = dissertation_1996_total_exchange_parts::table5_2,
};

constinit const Exhibit total_exchange_1998_fig3 = {
    .name = "1998.fig3",
    .paper = "total_exchange_1998",
    .item = "Figure 3",
    .title = "algorithm A1: total exchange in products, one port",
    .method = dissertation_1996_total_exchange_parts::kA1Method,
    .parameters = dissertation_1996_total_exchange_parts::kProductParameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a1,
};

constinit const Exhibit total_exchange_1998_fig4 = {
    .name = "1998.fig4",
    .paper = "total_exchange_1998",
    .item = "Figure 4",
    .title = "algorithm A2: total exchange in products, one port",
    .method = dissertation_1996_total_exchange_parts::kA2Method,
    .parameters = dissertation_1996_total_exchange_parts::kProductParameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a2,
};

constinit const Exhibit total_exchange_1998_fig6 = {
    .name = "1998.fig6",
    .paper = "total_exchange_1998",
    .item = "Figure 6",
    .title = "algorithm A3: total exchange in homogeneous products, all ports",
    .method = dissertation_1996_total_exchange_parts::kA3Method,
    .parameters = dissertation_1996_total_exchange_parts::kA3Parameters,
    .make = dissertation_1996_total_exchange_parts::algorithm_a3,
};

}  // namespace quadrille::exhibit
