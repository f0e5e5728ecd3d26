// Closed forms against the schedules that are built here: what the judge counts, and what the composition rule adds up on
// tori that no judge would follow.
#include "quadrille/cost/power_of_two_tori.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_ring.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace power_of_two_tori_test {

namespace costs = power_of_two_tori;

CostParts predicted(std::string_view card, std::string_view spec) {
  const Prediction p = algorithm_catalog().find(card)->plan_for(worms_on(spec))->prediction();
  return {.start_ups = *p.start_ups, .critical_blocks = p.critical_blocks};
}

TEST(PowerOfTwoTori, the_ring_is_that_of_theorem_1) {
  for (uint32_t d = 3; d <= 10; ++d) {
    const WormCost made = ring_schedule(uint32_t{1} << d, {.published = true}, false).cost();
    EXPECT_EQ(costs::ring(d), (CostParts{made.start_ups, made.blocks})) << d;
  }
}

TEST(PowerOfTwoTori, are_what_the_cards_predict) {
  EXPECT_EQ(costs::t1(3, 2), predicted("alltoall_wormhole_t1", "torus(8,8)"));
  EXPECT_EQ(costs::t1(4, 2), predicted("alltoall_wormhole_t1", "torus(16,16)"));
  EXPECT_EQ(costs::t1(3, 3), predicted("alltoall_wormhole_t1", "torus(8,8,8)"));
  EXPECT_EQ(costs::t4(4), predicted("alltoall_wormhole_t4", "torus(16,16)"));
  EXPECT_EQ(costs::t4(5), predicted("alltoall_wormhole_t4", "torus(32,32)"));
  EXPECT_EQ(costs::t4(7), predicted("alltoall_wormhole_t4", "torus(128,128)"));
  EXPECT_EQ(costs::dp2d(2), predicted("alltoall_wormhole_dp2d", "torus(4,4)"));
  EXPECT_EQ(costs::dp2d(6), predicted("alltoall_wormhole_dp2d", "torus(64,64)"));
  EXPECT_EQ(costs::c64(5), predicted("alltoall_wormhole_c64", "torus(32,32,32)"));
  EXPECT_EQ(costs::dp3d(3), predicted("alltoall_wormhole_dp3d", "torus(8,8,8)"));
  EXPECT_EQ(costs::dp3d(5), predicted("alltoall_wormhole_dp3d", "torus(32,32,32)"));
}

TEST(PowerOfTwoTori, fit_64_bits_up_to_the_largest_exponents) {
  // Doubling the sides multiplies by nearly 4, 8 and 16: nothing has wrapped around.
  const auto grows = [](CostParts large, CostParts small, double factor) {
    const double ratio =
        static_cast<double>(*large.critical_blocks) / static_cast<double>(*small.critical_blocks);
    EXPECT_NEAR(ratio, factor, 0.02 * factor);
  };
  grows(costs::ring(costs::kMostRing), costs::ring(costs::kMostRing - 1), 4);
  for (const auto cost : {costs::t4, costs::dp2d, costs::t2d1, costs::t2d2})
    grows(cost(costs::kMost2d), cost(costs::kMost2d - 1), 8);
  for (const auto cost : {costs::c64, costs::dp3d, costs::t3d1, costs::t3d2})
    grows(cost(costs::kMost3d), cost(costs::kMost3d - 1), 16);
}

}  // namespace power_of_two_tori_test
}  // namespace quadrille
