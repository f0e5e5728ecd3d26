// Block forests: trees to everybody, as even as a bound says that any can be.
#include "quadrille/algorithms/packing/swarms/block_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace block_forest_test {
namespace {

SwarmTask gathering_on(const Topology& net, Ports send) {
  SwarmTask task{net, send, send};
  for (const NodeId v : net.endpoints()) task.origins.push_back(v);
  return task;
}

// What the busiest port or link does in all trees, each of which comes to all endpoints once and to nobody twice.
uint64_t fullest(const SwarmTask& task, const BlockForest& forest) {
  const Topology& net = task.net;
  std::vector<uint64_t> sends(net.num_nodes(), 0);
  std::vector<uint64_t> receives(net.num_nodes(), 0);
  std::vector<uint64_t> links(net.num_arcs(), 0);
  for (size_t b = 0; b < forest.trees.size(); ++b) {
    std::vector<char> has(net.num_nodes(), 0);
    has[index(task.origins[b])] = 1;
    for (const ArcId arc : forest.trees[b]) {
      EXPECT_EQ(has[index(net.tail(arc))], 1) << "parents come first";
      EXPECT_EQ(has[index(net.head(arc))], 0);
      has[index(net.head(arc))] = 1;
      ++sends[index(net.tail(arc))];
      ++receives[index(net.head(arc))];
      ++links[index(arc)];
    }
    for (const NodeId v : net.endpoints()) EXPECT_EQ(has[index(v)], 1);
  }
  uint64_t most = 0;
  for (const NodeId v : net.nodes())
    for (const uint64_t work : {sends[index(v)], receives[index(v)]})
      if (!task.send.unlimited()) most = std::max(most, (work + task.send.count - 1) / task.send.count);
  for (const ArcId arc : net.arcs())
    most = std::max(most, (links[index(arc)] + net.capacity(arc) - 1) / net.capacity(arc));
  return most;
}

TEST(BlockForest, IsAsEvenAsItSays) {
  struct Case {
    std::string_view spec;
    uint32_t ports;
    uint64_t most;
  };
  // The bounds are 16 (hubs alone lead to pairs), 45, 16, 24 and 4.
  for (const Case& c :
       {Case{"edges(\"x a1, x a2, x b1, x b2, x c1, x c2, x d1, x d2, y a1, y a2, y b1, y b2, "
             "y c1, y c2, y d1, y d2, a1 a2, b1 b2, c1 c2, d1 d2\")",
             1, 16},
        Case{"jellyfish(8,3,2;1)", 1, 46}, Case{"clos(4)", 2, 18}, Case{"mesh(5,5)", 1, 26},
        Case{"torus(4,4)", 0, 4}}) {
    const Topology net = parse_topology(c.spec);
    const SwarmTask task = gathering_on(net, c.ports == 0 ? kAllPorts : Ports{c.ports});
    const BlockForest forest = grow_block_forest(task, 0);
    EXPECT_EQ(fullest(task, forest), forest.fullest) << c.spec;
    EXPECT_LE(forest.fullest, c.most) << c.spec;
  }
}

// Nodes that have the choice of two parents each, at different depths, may change them in turn; they stop.
TEST(BlockForest, EndsWhateverAHopCosts) {
  Rng rng(4);
  for (int network = 0; network < 2; ++network) {
    constexpr uint32_t kNodes = 70;
    TopologyBuilder builder("near the diagonal", kNodes);
    for (uint32_t v = 1; v < kNodes; ++v) {
      const uint32_t first = v < 12 ? 0 : v - 12;
      std::set<uint32_t> before;
      for (int i = 0; i < 4; ++i) before.insert(first + static_cast<uint32_t>(rng.below(v - first)));
      for (const uint32_t u : before) builder.link(NodeId{u}, NodeId{v});
    }
    const Topology net = builder.build();
    ForestTask task{net, kOnePort, kOnePort};
    task.trees.assign(64, {NodeId{0}});
    for (const uint64_t haste : {kFullPrice / 256, kFullPrice / 1024}) {
      task.haste = haste;
      const BlockForest forest = grow_block_forest(task, 0);
      EXPECT_GE(forest.fullest, 64U);
      for (const BlockTree& tree : forest.trees) EXPECT_EQ(tree.size(), kNodes - 1);
    }
  }
}

// What a better bound is known for is found to be the same, only sooner.
TEST(BlockForest, DoesNotDependOnWhatIsGoodEnough) {
  const Topology net = parse_topology("clos(4)");
  const SwarmTask task = gathering_on(net, kOnePort);
  const BlockForest whole = grow_block_forest(task, 0);
  EXPECT_EQ(grow_block_forest(task, whole.fullest).fullest, whole.fullest);
}

}  // namespace
}  // namespace block_forest_test
}  // namespace quadrille
