// Orders by looks: the same network comes out, whatever the numbers of its nodes.
#include "quadrille/topology/structure/order_by_looks.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace order_by_looks_test {
namespace {

std::vector<NodeId> shuffled(const Topology& net, Rng& rng) {
  std::vector<NodeId> order;
  for (const NodeId v : net.nodes()) order.push_back(v);
  rng.shuffle(order);
  return order;
}

TEST(OrderByLooks, IsTheSameWhateverTheNumbers) {
  Rng rng(5);
  for (const std::string_view spec :
       {"fat_tree(4,4)", "clos(4)", "torus(4,4)", "mesh(3,5)", "kautz(2,3)", "jellyfish(8,3,2;1)",
        "generalized_petersen(5,2)", "edges(\"a b 2, b c, c d 3, d a, b e\")", "random_regular(14,3;2)"}) {
    const Topology net = parse_topology(spec);
    const Topology ordered = in_order(net, order_by_looks(net));
    EXPECT_EQ(ordered.num_endpoints(), net.num_endpoints());
    for (int i = 0; i < 5; ++i) {
      const Topology other = in_order(net, shuffled(net, rng));
      EXPECT_TRUE(in_order(other, order_by_looks(other)).same_graph(ordered)) << spec;
    }
  }
}

TEST(OrderByLooks, PutsEndpointsFirst) {
  const Topology net = parse_topology("clos(4)");
  const std::vector<NodeId> order = order_by_looks(net);
  ASSERT_EQ(order.size(), net.num_nodes());
  for (size_t i = 0; i < order.size(); ++i)
    EXPECT_EQ(net.rank(order[i]).has_value(), i < net.num_endpoints());
}

}  // namespace
}  // namespace order_by_looks_test
}  // namespace quadrille
