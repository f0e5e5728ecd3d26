// Most deliveries: what all nodes can send in so many steps of single packets.
#include "quadrille/bounds/spreading/most_deliveries.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace most_deliveries_test {

MostDeliveries of(std::string_view spec, CollectiveKind kind, Ports ports) {
  const Topology net = parse_topology(spec);
  const Problem problem = standard_problem(net, kind, {.send = ports, .receive = ports});
  return {problem, net.endpoint(Rank{0}), kind == CollectiveKind::kReduce, 0};
}

// With one port n pieces take n - 1 + log2 N steps.
TEST(MostDeliveries, WithOnePortPieceAfterPieceLeavesTheRoot) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    const MostDeliveries most = of("complete(16)", kind, kOnePort);
    EXPECT_EQ(most.pieces(3), 0U);
    for (const uint64_t steps : {4U, 5U, 11U, 500U}) EXPECT_EQ(most.pieces(steps), steps - 3);
  }
}

// Two pieces would leave together, but 50 nodes with two ports send 2 + 6 + 18 + 54 packets in four steps, and 98 are
// wanted.
TEST(MostDeliveries, NobodySendsBeforeSomethingHasCome) {
  const MostDeliveries most = of("complete(50)", CollectiveKind::kBroadcast, Ports{2});
  EXPECT_EQ(most.pieces(3), 0U);
  EXPECT_EQ(most.pieces(4), 1U);
  EXPECT_EQ(most.pieces(5), 3U);
}

// Along a line the far end is the last, however many links there are.
TEST(MostDeliveries, NobodyHasAnythingFartherThanItCanHaveCome) {
  const MostDeliveries most = of("line(5)", CollectiveKind::kBroadcast, kAllPorts);
  EXPECT_EQ(most.pieces(3), 0U);
  EXPECT_EQ(most.pieces(4), 1U);
  EXPECT_EQ(most.pieces(5), 2U);
}

}  // namespace most_deliveries_test
}  // namespace quadrille
