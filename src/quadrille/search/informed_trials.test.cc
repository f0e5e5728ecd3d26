// Informed trials: what they find is enough, by the formula, and a step less is where the formula says that there is none.
#include "quadrille/search/informed_trials.h"

#include <gtest/gtest.h>

#include "quadrille/search/everybody_informed.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace informed_trials_test {

constexpr uint32_t kTrials = 2'000;

TEST(InformedTrials, FindNoFewerStepsThanThereAre) {
  for (const char* spec :
       {"line(2)", "line(5)", "ring(7)", "ring(8)", "complete(5)", "edges(\"a b, a c, a d, a e\")",
        "mesh(3,3)", "hypercube(3)", "tree(2^2)", "fat_tree(2^2;constant)", "generalized_petersen(5,2)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t ports : {1U, 2U, 3U}) {
      const MessageLimits limits{ports, ports};
      const std::optional<uint32_t> enough = informed_within(net, limits, 1, kTrials);
      ASSERT_TRUE(enough.has_value()) << spec;
      EXPECT_TRUE(solve(EverybodyInformed(net, limits, *enough).formula()).satisfiable())
          << spec << ", " << ports << " ports: " << *enough;
    }
  }
}

TEST(InformedTrials, KnowRingsAndCubes) {
  EXPECT_EQ(informed_within(parse_topology("ring(8)"), {1, 1}, 1, kTrials), 4U);
  EXPECT_EQ(informed_within(parse_topology("hypercube(4)"), {1, 1}, 1, kTrials), 4U);
  EXPECT_EQ(informed_within(parse_topology("line(7)"), {2, 2}, 1, kTrials), 6U);
  EXPECT_EQ(informed_within(parse_topology("line(7)"), {}, 1, kTrials), 6U);
}

TEST(InformedTrials, StopWhereSoManyStepsAreTakenAnyhow) {
  EXPECT_EQ(informed_within(parse_topology("ring(8)"), {1, 1}, 9, kTrials), 9U);
  EXPECT_EQ(informed_within(parse_topology("ring(64)"), {1, 1}, 32, 0).value_or(0) >= 32U, true);
  EXPECT_FALSE(informed_within(parse_topology("ring(65)"), {1, 1}, 1, kTrials).has_value());
}

}  // namespace informed_trials_test
}  // namespace quadrille
