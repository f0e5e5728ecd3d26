// Forest times: sends wait for what comes before them, links and ports are never overfull, and nothing where it would take longer.
#include "quadrille/algorithms/packing/swarms/forest_times.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace forest_times_test {
namespace {

// Pieces down a star of lines: each goes out over every link of node 0 and a link farther.
std::vector<TreeSend> down_spider(const Topology& net, uint32_t pieces) {
  std::vector<TreeSend> out;
  for (uint32_t b = 0; b < pieces; ++b) {
    for (const ArcId first : net.arcs_from(NodeId{0})) {
      const auto before = static_cast<uint32_t>(out.size());
      out.push_back({first, b});
      for (const ArcId next : net.arcs_from(net.head(first)))
        if (net.head(next) != NodeId{0}) out.push_back({next, b, {before}});
    }
  }
  return out;
}

uint32_t limit(Ports ports) { return ports.unlimited() ? UINT32_MAX : ports.count; }

void expect_kept(const Topology& net, Ports send, Ports receive, const std::vector<TreeSend>& sends,
                 const ForestTimes& times) {
  std::map<std::pair<uint32_t, size_t>, uint32_t> over;
  std::map<std::pair<uint32_t, size_t>, uint32_t> starts;
  std::map<std::pair<uint32_t, size_t>, uint32_t> ends;
  ASSERT_EQ(times.step_of.size(), sends.size());
  for (size_t i = 0; i < sends.size(); ++i) {
    const uint32_t step = times.step_of[i];
    EXPECT_LT(step, times.steps);
    for (const uint32_t before : sends[i].before) EXPECT_LT(times.step_of[before], step);
    EXPECT_LE(++over[std::pair(step, index(sends[i].arc))], net.capacity(sends[i].arc));
    EXPECT_LE(++starts[std::pair(step, index(net.tail(sends[i].arc)))], limit(send));
    EXPECT_LE(++ends[std::pair(step, index(net.head(sends[i].arc)))], limit(receive));
  }
}

TEST(ForestTimes, KeepWhatLinksAndPortsAllow) {
  const Topology net = parse_topology("mesh(3,3)");
  const std::vector<TreeSend> sends = down_spider(net, 5);
  for (const Ports ports : {kAllPorts, kOnePort, Ports{2}}) {
    const std::optional<ForestTimes> found = find_forest_times(net, ports, ports, sends, SIZE_MAX, 0);
    ASSERT_TRUE(found);
    expect_kept(net, ports, ports, sends, *found);
    // The corner sends 5 times over each of its links, 10 times with one port; whoever hears passes on over two links, and no node
    // comes before its neighbour.
    EXPECT_LE(found->steps, ports == kOnePort ? 12U : 7U);
    EXPECT_GE(found->steps, ports == kOnePort ? 11U : 6U);
  }
}

TEST(ForestTimes, AreNoneWhereTheyWouldBeLonger) {
  const Topology net = parse_topology("mesh(3,3)");
  EXPECT_FALSE(find_forest_times(net, kOnePort, kOnePort, down_spider(net, 5), 9, 0));
}

}  // namespace
}  // namespace forest_times_test
}  // namespace quadrille
