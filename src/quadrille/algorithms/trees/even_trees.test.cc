#include "quadrille/algorithms/trees/even_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace even_trees_test {

Problem allreduce_on(const Topology& net, Ports ports) {
  return standard_problem(net, CollectiveKind::kAllreduce, {.send = ports, .receive = ports});
}

TEST(EvenTrees, SpanTheNetworkParentsFirst) {
  for (const char* const spec : {"mesh(4,5)", "mesh(2,2)", "line(7)", "complete(5)"}) {
    const Topology net = parse_topology(spec);
    for (const Ports ports : {kOnePort, kAllPorts}) {
      for (const EvenTree& tree : even_trees(allreduce_on(net, ports), 6, 1.0, 20'971)) {
        ASSERT_EQ(tree.order.size(), net.num_nodes()) << spec;
        EXPECT_EQ(tree.order.front(), tree.root) << spec;
        std::vector<char> is_reached(net.num_nodes(), 0);
        is_reached[index(tree.root)] = 1;
        for (size_t i = 1; i < tree.order.size(); ++i) {
          const ArcId arc = tree.arc[index(tree.order[i])];
          EXPECT_EQ(net.head(arc), tree.order[i]) << spec;
          EXPECT_EQ(is_reached[index(net.tail(arc))], 1) << spec;
          is_reached[index(tree.order[i])] = 1;
        }
        EXPECT_EQ(std::ranges::count(is_reached, 1), net.num_nodes()) << spec;
      }
    }
  }
}

// Six trees of four links share ten links: a fullest one in three of them, where one tree six times would have six.
TEST(EvenTrees, ShareTheLinks) {
  const Topology net = parse_topology("complete(5)");
  std::vector<uint32_t> load(net.num_arcs(), 0);
  for (const EvenTree& tree : even_trees(allreduce_on(net, kAllPorts), 6, 2.4, 1'000))
    for (const ArcId arc : tree.arc)
      if (arc != kNoArc) ++load[std::min(index(arc), index(net.reverse(arc)))];
  EXPECT_LE(*std::ranges::max_element(load), 3U);
}

}  // namespace even_trees_test
}  // namespace quadrille
