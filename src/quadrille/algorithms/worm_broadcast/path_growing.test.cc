// Path growing: a broadcast by worms on any graph, found forwards.
#include "quadrille/algorithms/worm_broadcast/path_growing.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/path_merging.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_path_merging;
}  // namespace algorithms

namespace path_growing_test {

// Slow and obvious: who knows sends, over arcs of its own, along whole paths, to who does not.
void expect_tells_all(const Topology& net, const std::vector<NodeId>& roots, uint32_t ports,
                      const BroadcastWorms& steps) {
  std::set<NodeId> know(roots.begin(), roots.end());
  for (const std::vector<WormPath>& step : steps) {
    std::multiset<ArcId> arcs;
    std::multiset<NodeId> senders;
    std::set<NodeId> told;
    for (const WormPath& worm : step) {
      ASSERT_FALSE(worm.empty());
      for (size_t i = 1; i < worm.size(); ++i) EXPECT_EQ(net.head(worm[i - 1]), net.tail(worm[i]));
      arcs.insert(worm.begin(), worm.end());
      senders.insert(net.tail(worm.front()));
      EXPECT_TRUE(know.contains(net.tail(worm.front())));
      EXPECT_FALSE(know.contains(net.head(worm.back())));
      EXPECT_TRUE(told.insert(net.head(worm.back())).second);
    }
    for (const ArcId arc : arcs) {
      EXPECT_LE(arcs.count(arc), net.capacity(arc));
      EXPECT_FALSE(net.reverse(arc) != kNoArc && arcs.contains(net.reverse(arc)));
    }
    for (const NodeId sender : senders) EXPECT_TRUE(ports == 0 || senders.count(sender) <= ports);
    know.merge(told);
  }
  for (const NodeId v : net.endpoints()) EXPECT_TRUE(know.contains(v)) << net.name() << " " << net.label(v);
}

TEST(PathGrowing, TellsAllFromOneAndFromSeveral) {
  for (const std::string_view spec :
       {"line(2)", "line(9)", "ring(10)", "mesh(4,5)", "star(6)", "tree(2,4)", "fat_tree(2,3)", "clos(4)",
        "dragonfly(2,4,2)", "jellyfish(10,3,3;1)", "de_bruijn(2,5)", "random_regular(30,3;2)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t ports : {1U, 2U, 0U}) {
      const NodeId first = net.endpoints().front();
      const BroadcastWorms merged = merge_along_paths(net, first, Ports{ports}, false);
      const BroadcastWorms grown = grow_along_paths(net, {first}, Ports{ports}, merged);
      EXPECT_LE(grown.size(), merged.size()) << spec;
      EXPECT_GE(grown.size(), fewest_steps_of_growth(net, {first}, Ports{ports})) << spec;
      expect_tells_all(net, {first}, ports, grown);
      // From both ends of the list of nodes in fewer steps than one takes, or in as many.
      const std::vector<NodeId> two{first, net.endpoints().back()};
      expect_tells_all(net, two, ports,
                       grow_along_paths(net, two, Ports{ports}, BroadcastWorms(grown.size() + 1)));
    }
  }
}

// Routers hold what passes and have the links that hosts lack; merging knows hosts alone.
TEST(PathGrowing, TellsRoutersFirst) {
  struct Row {
    std::string_view spec;
    Ports ports;
    uint64_t steps;
  };
  for (const Row& row : {Row{"jellyfish(32,4,4;1)", kAllPorts, 4}, Row{"megafly(3,4,4,3)", kAllPorts, 4},
                         Row{"xgft(8,16;1,8)", kAllPorts, 3}, Row{"jellyfish(32,4,4;1)", Ports{2}, 6},
                         Row{"megafly(3,4,4,3)", Ports{2}, 6}}) {
    const Model worms{.send = row.ports, .receive = row.ports, .switching = Switching::kWormhole};
    const Problem problem = standard_problem(parse_topology(row.spec), CollectiveKind::kBroadcast, worms);
    EXPECT_EQ(judged_steps(algorithms::broadcast_path_merging, problem), row.steps) << problem.title();
    EXPECT_EQ(static_cast<uint64_t>(best_bound(problem).value.ceil()), row.steps) << problem.title();
  }
}

}  // namespace path_growing_test
}  // namespace quadrille
