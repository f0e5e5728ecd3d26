#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_rotated_trees;
extern const Algorithm reduce_rotated_trees;
}  // namespace algorithms

namespace rotated_trees_test {

Problem broadcast(const std::string& spec, uint32_t ports_each, uint32_t pieces, uint32_t root = 0) {
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, ports(ports_each), NodeId{root},
                          pieces);
}

TEST(RotatedTrees, TakeAsFewStepsAsTheBoundWithOnePort) {
  for (const std::string spec : {"hypercube(1)", "hypercube(2)", "hypercube(3)", "hypercube(5)", "torus(4,4)",
                                 "complete(8)", "product(complete(4),ring(4),line(2))"}) {
    for (const uint32_t pieces : {1U, 2U, 3U, 4U, 5U, 7U, 16U, 33U}) {
      const Problem problem = broadcast(spec, 1, pieces, 1);
      const uint64_t steps = judged_steps(algorithms::broadcast_rotated_trees, problem);
      EXPECT_EQ(steps, best_bound(problem).value.ceil()) << problem.title();
    }
  }
}

TEST(RotatedTrees, ShareTheirPiecesAmongPorts) {
  for (uint32_t ports_each = 1; ports_each <= 6; ++ports_each) {
    for (uint32_t pieces = 1; pieces <= 13; ++pieces) {
      EXPECT_EQ(judged_steps(algorithms::broadcast_rotated_trees,
                             broadcast("hypercube(6)", ports_each, pieces, 37)),
                (pieces + ports_each - 1) / ports_each + 5);
    }
  }
}

TEST(RotatedTrees, AddUpBackwards) {
  const Problem problem =
      standard_problem(parse_topology("hypercube(4)"), CollectiveKind::kReduce, ports(1), NodeId{3}, 9);
  EXPECT_EQ(judged_steps(algorithms::reduce_rotated_trees, problem), 12U);
}

}  // namespace rotated_trees_test
}  // namespace quadrille
