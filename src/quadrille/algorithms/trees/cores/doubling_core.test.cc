#include "quadrille/algorithms/trees/cores/doubling_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace doubling_core_test {

TEST(DoublingCore, IsACubeFromWhichEverybodyIsInformed) {
  for (const std::string spec : {"torus(5,8)", "mesh(6,7)", "random_regular(60,5;3)", "butterfly(4)",
                                 "clos(4)", "megafly(2,2,2,1)", "hypercube(6)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t ports : {1U, 2U}) {
      const std::optional<CoreBroadcast> found = best_core_broadcast(net, ports, 1'000);
      ASSERT_TRUE(found) << spec;
      for (size_t i = 0; i < found->core.size(); ++i) {
        EXPECT_EQ(found->step[index(found->core[i])], 0U);
        for (size_t bit = 1; bit < found->core.size(); bit *= 2)
          EXPECT_TRUE(net.find_arc(found->core[i], found->core[i ^ bit])) << spec;
      }
      std::map<std::pair<NodeId, uint32_t>, uint32_t> sent;
      for (const NodeId v : net.nodes()) {
        const ArcId arc = found->informed_over[index(v)];
        if (arc == kNoArc) {
          EXPECT_TRUE(!net.rank(v) || std::ranges::find(found->core, v) != found->core.end()) << spec;
          continue;
        }
        EXPECT_EQ(net.head(arc), v);
        EXPECT_LT(found->step[index(net.tail(arc))], found->step[index(v)]) << "who informs knows";
        EXPECT_LE(++(sent[{net.tail(arc), found->step[index(v)]}]), ports) << spec;
        EXPECT_LE(found->step[index(v)], found->steps);
      }
    }
  }
}

TEST(DoublingCore, IsLeftWhereItIsNoShorter) {
  EXPECT_FALSE(best_core_broadcast(parse_topology("random_regular(60,5;3)"), 1, 5));
  EXPECT_FALSE(best_core_broadcast(parse_topology("line(1)"), 1, 5)) << "there is no link";
  // All of a hypercube is a core.
  EXPECT_EQ(best_core_broadcast(parse_topology("hypercube(6)"), 1, 100)->allreduce_steps(), 6U);
}

// An allreduce of one block takes fewer steps than a reduce and a broadcast.
TEST(DoublingCore, ShortensAnAllreduceOfFewPorts) {
  const auto steps = [](const char* spec, uint32_t count, uint32_t pieces = 1) {
    const Algorithm& card = *algorithm_catalog().find("allreduce_sums");
    Model model = ports(count);
    if (pieces > 1) model.packets = Packets::kMany;
    return judged_steps(
        card, standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model, kNoNode, pieces));
  };
  EXPECT_LE(steps("random_regular(96,5;31)", 1), 12U) << "twice 7, before";
  EXPECT_LE(steps("random_regular(96,5;31)", 1, 3), 12U);
  EXPECT_LE(steps("clos(8)", 1), 21U) << "routers add up, too";
  EXPECT_LE(steps("random_regular(96,5;31)", 2), 10U);
}

}  // namespace doubling_core_test
}  // namespace quadrille
