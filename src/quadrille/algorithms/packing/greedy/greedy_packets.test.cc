#include "quadrille/algorithms/packing/greedy/greedy_packets.h"

#include <gtest/gtest.h>

#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace greedy_packets_test {

TEST(GreedyPackets, TakeAtLeastWhatTheirWaysLoad) {
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
        EXPECT_LE(shortest_ways_at_least(problem), least) << problem.title();
        EXPECT_GT(shortest_ways_at_least(problem), 0U) << problem.title();
        EXPECT_LE(plan.num_steps(), 2 * least + 8) << problem.title() << ": it should say something";
      }
    }
  }
}

}  // namespace greedy_packets_test
}  // namespace quadrille
