#include "quadrille/algorithms/torus_classes/level_hubs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace level_hubs_test {

std::vector<uint32_t> hops_of(const Topology& net) {
  std::vector<uint32_t> out;
  for (uint32_t v = 0; v < net.num_nodes(); ++v) {
    const std::vector<uint32_t> from = distances_from(net, NodeId{v});
    out.insert(out.end(), from.begin(), from.end());
  }
  return out;
}

// Every node from the nearest one of a lower level.
uint64_t hops_with(const std::vector<uint32_t>& hops, const std::vector<uint32_t>& level) {
  uint64_t out = 0;
  const size_t size = level.size();
  for (size_t v = 1; v < size; ++v) {
    uint32_t nearest = UINT32_MAX;
    for (size_t w = 0; w < size; ++w)
      if (level[w] < level[v]) nearest = std::min(nearest, hops[v * size + w]);
    out += nearest;
  }
  return out;
}

TEST(LevelHubs, AreFoundOnTori) {
  struct Case {
    std::string_view spec;
    uint32_t levels;
    uint64_t most;
  };
  for (const auto& [spec, levels, most] :
       {Case{"torus(8,8)", 1, 256}, Case{"torus(8,8)", 3, 78}, Case{"torus(8,8)", 4, 70},
        Case{"torus(8,8)", 7, 64}, Case{"torus(8,8)", 8, 63}, Case{"torus(8,8)", 20, 63},
        Case{"ring(9)", 2, 12}, Case{"torus(16,16)", 8, 270}, Case{"hypercube(5)", 3, 35},
        Case{"ring(2)", 1, 1}, Case{"line(1)", 1, 0}}) {
    const Topology net = parse_topology(spec);
    const std::vector<uint32_t> hops = hops_of(net);
    const std::vector<uint32_t> level =
        levels_by_hubs(hops, net.num_nodes(), levels, {.moves = 8192, .starts = 2});
    ASSERT_EQ(level.size(), net.num_nodes()) << spec;
    for (uint32_t v = 0; v < level.size(); ++v) {
      EXPECT_EQ(level[v] == 0, v == 0) << spec;
      EXPECT_LE(level[v], levels) << spec;
    }
    EXPECT_LE(hops_with(hops, level), most) << spec << ", " << levels << " levels";
  }
}

// Two searches with the same seed, and one that is longer.
TEST(LevelHubs, AreTheSameAgainAndNoWorseAfterMoreStarts) {
  const Topology net = parse_topology("torus(6,10)");
  const std::vector<uint32_t> hops = hops_of(net);
  const auto find = [&](uint32_t starts) {
    return levels_by_hubs(hops, net.num_nodes(), 3, {.moves = 2000, .starts = starts});
  };
  EXPECT_EQ(find(1), find(1));
  EXPECT_LE(hops_with(hops, find(4)), hops_with(hops, find(1)));
}

}  // namespace level_hubs_test
}  // namespace quadrille
