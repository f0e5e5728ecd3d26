// The 1998 paper on total exchange in products.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_product;
}  // namespace algorithms

namespace total_exchange_1998_test {

// The nodes that are reached from a node over links of the first dimension only: its copy of A.
std::vector<NodeId> copy_of_a(const Topology& net, NodeId from) {
  std::vector<NodeId> copy = {from};
  for (size_t i = 0; i < copy.size(); ++i) {
    for (const ArcId arc : net.arcs_from(copy[i])) {
      const NodeId to = net.head(arc);
      const bool first = net.product()->coordinate(to, 1) == net.product()->coordinate(from, 1);
      if (first && std::ranges::find(copy, to) == copy.end()) copy.push_back(to);
    }
  }
  std::ranges::sort(copy);
  return copy;
}

// "(1,1)", from 1 as in the paper.
std::string paper_name(const Topology& net, NodeId node) {
  return "(" + std::to_string(net.product()->coordinate(node, 0) + 1) + "," +
         std::to_string(net.product()->coordinate(node, 1) + 1) + ")";
}

TEST(TotalExchangeClaims, table_2_has_a_column_of_messages_for_each_copy_of_a) {
  // The table as printed, column by column; the first entry is the node itself.
  const std::vector<std::vector<std::string>> printed = {
      {"(1,1)", "(2,1)", "(3,1)"}, {"(1,2)", "(2,2)", "(3,2)"}, {"(1,3)", "(2,3)", "(3,3)"}};
  const Topology mesh = parse_topology("mesh(3,3)");
  for (uint32_t k = 0; k < 3; ++k) {
    std::vector<std::string> column;
    for (const NodeId node : copy_of_a(mesh, NodeId{k})) column.push_back(paper_name(mesh, node));
    EXPECT_EQ(column, printed[k]);
  }
  // Every node has a table of n_1 rows and n_2 columns, and an exchange moves it as the table says: the
  // column for its own copy inside that copy, all others first into the copy that they are meant for.
  Model one_port;
  one_port.send = one_port.receive = kOnePort;
  for (const char* spec : {"mesh(3,3)", "mesh(2,4)", "torus(3,4)", "product(star(3),line(2))"}) {
    const Topology net = parse_topology(spec);
    const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, one_port);
    Plan plan;
    algorithms::alltoall_product.plan_for(problem)->generate(plan);
    ASSERT_TRUE(verify(problem, plan).schedule.has_value()) << spec;
    const uint32_t rows = net.product()->factors[0].num_nodes();
    const uint32_t columns = net.product()->factors[1].num_nodes();
    std::map<BlockId, bool> arrived;  // in the copy that it is meant for
    std::map<std::pair<NodeId, uint32_t>, uint32_t> entries;
    for (const NodeId from : net.nodes()) {
      for (const NodeId to : net.nodes()) {
        if (from == to) continue;
        const uint32_t column = net.product()->coordinate(to, 1);
        ++entries[{from, column}];
        const BlockId block = problem.collective().block(*net.rank(from), *net.rank(to));
        arrived[block] = net.product()->coordinate(from, 1) == column;
      }
    }
    for (const NodeId from : net.nodes()) {
      for (uint32_t k = 0; k < columns; ++k)
        EXPECT_EQ((entries[{from, k}]), stated(rows - (net.product()->coordinate(from, 1) == k ? 1 : 0)))
            << spec;
    }
    for (size_t s = 0; s < plan.num_steps(); ++s) {
      const StepView step = plan.step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const ArcId arc = step.arcs(t)[0];
        const BlockId block = step.blocks(t)[0];
        const bool inside =
            net.product()->coordinate(net.head(arc), 1) == net.product()->coordinate(net.tail(arc), 1);
        EXPECT_EQ(inside, arrived[block]) << spec << " step " << s;
        arrived[block] = net.product()->coordinate(net.head(arc), 1) ==
                         net.product()->coordinate(problem.destination(block), 1);
      }
    }
  }
}

}  // namespace total_exchange_1998_test
}  // namespace quadrille
