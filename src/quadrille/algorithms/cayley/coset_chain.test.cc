#include "quadrille/algorithms/cayley/coset_chain.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_cosets;
}  // namespace algorithms

namespace coset_chain_test {

Problem allreduce(std::string_view spec, Ports ports) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce,
                          {.send = ports, .receive = ports});
}

TEST(CosetChain, TakesAsManyStepsAsItsSubgroupsHaveLayers) {
  struct Row {
    std::string_view spec;
    uint64_t steps;
  };
  // Twice the radius are 12, 14, 14, 20 and 14.
  for (const Row& row : {Row{"star(5)", 7}, Row{"star(6)", 9}, Row{"pancake(6)", 9},
                         Row{"cube_connected_cycles(5)", 14}, Row{"butterfly(5)", 10}})
    EXPECT_EQ(judged_steps(algorithms::allreduce_cosets, allreduce(row.spec, kAllPorts)), row.steps)
        << row.spec;
}

TEST(CosetChain, UsesNoMorePortsThanThereAre) {
  EXPECT_EQ(judged_steps(algorithms::allreduce_cosets, allreduce("star(4)", kOnePort)), 6U);
  EXPECT_EQ(judged_steps(algorithms::allreduce_cosets, allreduce("star(5)", Ports{2})), 8U);
}

TEST(CosetChain, NeedsNoMoreSlotsThanThereAre) {
  EXPECT_FALSE(CosetChain::shortest(*parse_topology("ring(100)").cayley(), UINT64_MAX).has_value());
  EXPECT_FALSE(
      prepare(algorithms::allreduce_cosets, allreduce("circulant(200;1,14)", kAllPorts)).fits.applies);
}

}  // namespace coset_chain_test
}  // namespace quadrille
