#include "quadrille/algorithms/trees/window_flooding.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace window_flooding_test {

// Two at a time on the larger one, and more pieces than a word has bits.
TEST(FloodWindow, BringsEveryPieceToEverybodyByThoseWhoHaveIt) {
  for (const std::string_view spec : {"torus(4,5)", "mesh(7,10)"}) {
    const Topology net = parse_topology(spec);
    constexpr uint32_t kPieces = 70;
    DisjointTrees trees;
    trees.root = NodeId{3};
    const auto window = flood_window(net, trees, 1, kPieces, 200, false);
    ASSERT_TRUE(window) << spec;
    std::set<std::pair<NodeId, uint32_t>> has;
    for (uint32_t p = 0; p < kPieces; ++p) has.emplace(trees.root, p);
    for (uint32_t s = 1; s <= window->steps; ++s) {
      const auto before = has;
      std::set<ArcId> used;
      for (const LastBatches::Send& send : window->sends) {
        if (send.step != s) continue;
        EXPECT_TRUE(used.insert(send.arc).second) << spec << ": one piece a link and step";
        EXPECT_TRUE(before.contains({net.tail(send.arc), send.piece})) << spec;
        EXPECT_TRUE(has.emplace(net.head(send.arc), send.piece).second) << spec << ": only what it lacks";
      }
    }
    EXPECT_EQ(has.size(), size_t{kPieces} * net.num_nodes()) << spec;
    EXPECT_FALSE(flood_window(net, trees, 1, kPieces, kPieces / 4, false))
        << "the root has four links at most";
  }
}

}  // namespace window_flooding_test
}  // namespace quadrille
