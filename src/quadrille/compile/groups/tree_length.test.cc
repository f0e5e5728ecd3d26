// Tree lengths: never more than the shortest tree, which small networks are searched for, and equal to it where there is one way.
#include "quadrille/compile/groups/tree_length.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace tree_length_test {
namespace {

// The shortest tree from the root to all wanted nodes, by trying all sets of nodes that may be in it: Prim's algorithm does not hold where
// arcs have directions, so of each set all orders in which nodes join are looked at, as least lengths of subsets.
uint64_t shortest_tree(const Topology& net, const std::vector<uint64_t>& length, NodeId root,
                       const std::vector<char>& wanted, bool backwards) {
  const uint32_t nodes = net.num_nodes();
  std::vector<uint64_t> least(size_t{1} << nodes, UINT64_MAX);
  least[size_t{1} << index(root)] = 0;
  uint64_t best = UINT64_MAX;
  for (size_t in = 0; in < least.size(); ++in) {
    if (least[in] == UINT64_MAX) continue;
    bool has_all = true;
    for (uint32_t v = 0; v < nodes; ++v) has_all = has_all && (wanted[v] == 0 || ((in >> v) & 1U) != 0);
    if (has_all) best = std::min(best, least[in]);
    for (const ArcId arc : net.arcs()) {
      const size_t from = index(backwards ? net.head(arc) : net.tail(arc));
      const size_t to = index(backwards ? net.tail(arc) : net.head(arc));
      if (((in >> from) & 1U) == 0 || ((in >> to) & 1U) != 0) continue;
      uint64_t& then = least[in | (size_t{1} << to)];
      then = std::min(then, least[in] + length[index(arc)]);
    }
  }
  return best;
}

TEST(TreeLength, IsNeverMoreThanTheShortestTreeAndNearIt) {
  Rng rng(3);
  uint64_t bounds = 0;
  uint64_t trees = 0;
  for (const std::string spec : {"torus(3,4)", "mesh(3,4)", "random_regular(12,3;1)",
                                 "generalized_kautz(10,2)", "hypercube(3)", "clos(2)"}) {
    const Topology net = parse_topology(spec);
    for (int i = 0; i < 12; ++i) {
      std::vector<uint64_t> length(net.num_arcs());
      for (uint64_t& one : length) one = i % 3 == 0 ? 1 : rng.below(9);
      std::vector<char> wanted(net.num_nodes(), 0);
      for (char& one : wanted) one = rng.below(2) == 0 ? 1 : 0;
      const NodeId root = id_at<NodeId>(static_cast<ptrdiff_t>(rng.below(net.num_nodes())));
      const bool backwards = i % 2 == 1;
      const uint64_t shortest = shortest_tree(net, length, root, wanted, backwards);
      const uint64_t bound = least_tree_length(net, length, root, wanted, backwards);
      EXPECT_LE(bound, shortest) << spec << " " << i;
      bounds += bound;
      trees += shortest;
    }
  }
  EXPECT_GE(20 * bounds, 19 * trees) << bounds << " of " << trees;
}

TEST(TreeLength, OfOneWayIsItsLength) {
  const Topology line = parse_topology("line(6)");
  std::vector<uint64_t> length(line.num_arcs(), 2);
  std::vector<char> wanted(6, 0);
  EXPECT_EQ(least_tree_length(line, length, NodeId{2}, wanted), 0U);
  wanted[2] = 1;
  EXPECT_EQ(least_tree_length(line, length, NodeId{2}, wanted), 0U);
  wanted[5] = 1;
  EXPECT_EQ(least_tree_length(line, length, NodeId{2}, wanted), 6U);
  EXPECT_EQ(least_tree_length(line, length, NodeId{2}, wanted, true), 6U);
  wanted[0] = 1;
  EXPECT_EQ(least_tree_length(line, length, NodeId{2}, wanted), 10U);
}

}  // namespace
}  // namespace tree_length_test
}  // namespace quadrille
