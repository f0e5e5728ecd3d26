#include "quadrille/algorithms/graphs/level_bound.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/graphs/level_routes.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::level_bound_test {
namespace {

Problem exchange_on(const char* spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {.packets = Packets::kMany});
}

TEST(LevelBound, NoRoutesTakeFewerRounds) {
  for (const char* spec :
       {"line(2)", "line(7)", "ring(6)", "ring(9)", "mesh(3,5)", "mesh(4,4)", "torus(4,6)", "hypercube(5)",
        "kautz(2,3)", "de_bruijn(2,4)", "clos(4)", "fat_tree(3,3;13,60)", "dragonfly(1,2,1)",
        "jellyfish(6,3,2;1)", "xgft(2,2,4;1,2,2)", "tree(2^3)", "complete(5)"}) {
    const Problem problem = exchange_on(spec);
    const uint32_t diameter = distance_summary(problem.topology()).diameter;
    for (const uint32_t levels : {diameter, diameter + 1, diameter + diameter / 2, 2 * diameter}) {
      SCOPED_TRACE(::testing::Message() << spec << ", " << levels << " levels");
      EXPECT_LE(level_rounds_at_least(problem, levels), LevelRoutes(problem, levels).rounds());
    }
  }
}

// Hosts on switches send everything in the first level, and hear everything in the last one.
TEST(LevelBound, HostsWithOneLinkTakeTheirBlocksInOneLevel) {
  const Problem problem = exchange_on("clos(4)");  // 16 hosts, 12 of them six hops away
  EXPECT_GE(level_rounds_at_least(problem, 6), 2U * 12U);
  EXPECT_EQ(level_rounds_at_least(exchange_on("line(2)"), 1), 1U);
  EXPECT_EQ(level_rounds_at_least(exchange_on("complete(5)"), 1), 1U);
  EXPECT_EQ(level_rounds_at_least(exchange_on("complete(1)"), 1), 0U);
}

}  // namespace
}  // namespace quadrille::level_bound_test
