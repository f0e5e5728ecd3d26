#include "quadrille/algorithms/packing/worth_making.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/packing/greedy_packets.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace worth_making_test {

TEST(WorthMaking, EveryPlanIsUntilSomebodySaysOtherwise) {
  EXPECT_FALSE(WorthMaking::is_limited());
  EXPECT_TRUE(WorthMaking::is_any_of(UINT64_MAX - 1));
  {
    const WorthMaking wanted(10);
    EXPECT_TRUE(WorthMaking::is_limited());
    EXPECT_TRUE(WorthMaking::is_any_of(9));
    EXPECT_FALSE(WorthMaking::is_any_of(10));
    {
      const WorthMaking more(20);
      EXPECT_FALSE(WorthMaking::is_any_of(10)) << "of several the fewest";
      const WorthMaking fewer(5);
      EXPECT_FALSE(WorthMaking::is_any_of(5));
    }
    EXPECT_TRUE(WorthMaking::is_any_of(9));
  }
  EXPECT_FALSE(WorthMaking::is_limited());
}

TEST(WorthMaking, GreedyPacketsTakeAtLeastWhatTheirWaysLoad) {
  for (const char* spec : {"mesh(3,4)", "line(7)", "generalized_petersen(5,2)", "fat_tree(2,3;exponential)",
                           "complete(5)", "tree(2,2)"}) {
    const Topology net = parse_topology(spec);
    for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
      for (const uint32_t pieces : {1U, 2U}) {
        const Problem problem = standard_problem(net, CollectiveKind::kAlltoall,
                                                 {.send = ports, .receive = ports}, kNoNode, pieces);
        Plan plan;
        greedy_packets(problem, plan);
        const uint64_t least = greedy_packets_at_least(problem);
        EXPECT_LE(least, plan.num_steps()) << problem.title();
        EXPECT_LE(plan.num_steps(), 2 * least + 8) << problem.title() << ": it should say something";
      }
    }
  }
}

}  // namespace worth_making_test
}  // namespace quadrille
