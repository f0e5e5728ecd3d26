#include "quadrille/topology/queries/arcs_into.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace arcs_into_test {

TEST(ArcsInto, IsEveryArcOnceAtItsHead) {
  for (const char* const spec : {"line(1)", "line(2)", "torus(3,4)", "kautz(2,2)", "fat_tree(2,3)"}) {
    const Topology net = parse_topology(spec);
    const auto into = arcs_into(net);
    ASSERT_EQ(into.size(), net.num_nodes()) << spec;
    size_t listed = 0;
    for (const NodeId v : net.nodes()) {
      listed += into[index(v)].size();
      EXPECT_TRUE(std::ranges::is_sorted(into[index(v)])) << spec;
      for (const ArcId arc : into[index(v)]) EXPECT_EQ(net.head(arc), v) << spec;
    }
    EXPECT_EQ(listed, net.num_arcs()) << spec;
  }
}

}  // namespace arcs_into_test
}  // namespace quadrille
