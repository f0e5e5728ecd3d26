#include "quadrille/algorithms/graphs/urgent_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace urgent_links_test {

std::vector<ArcId> arcs_of(const Topology& net) {
  std::vector<ArcId> out;
  for (const ArcId arc : net.arcs()) out.push_back(arc);
  return out;
}

// The most arcs that can send, one each, tried one by one.
uint32_t most_at_once(const Topology& net, std::span<const ArcId> arcs, std::vector<char>& starts,
                      std::vector<char>& ends) {
  if (arcs.empty()) return 0;
  const ArcId arc = arcs.front();
  uint32_t best = most_at_once(net, arcs.subspan(1), starts, ends);
  char& start = starts[index(net.tail(arc))];
  char& end = ends[index(net.head(arc))];
  if (start == 0 && end == 0) {
    start = end = 1;
    best = std::max(best, 1 + most_at_once(net, arcs.subspan(1), starts, ends));
    start = end = 0;
  }
  return best;
}

TEST(UrgentLinks, LetsAsManySendAsCanAndKeepsToPorts) {
  Rng rng(5);
  for (const char* const spec : {"complete(5)", "mesh(3,3)", "kautz(2,2)", "star(3)"}) {
    const Topology net = parse_topology(spec);
    UrgentLinks links(net, kOnePort, kOnePort);
    for (int trial = 0; trial < 40; ++trial) {
      std::vector<ArcId> order = arcs_of(net);
      rng.shuffle(order);
      order.resize(std::min<size_t>(order.size(), 4 + rng.below(9)));
      const auto sent = links.choose(order, [](ArcId) { return size_t{2}; });
      std::vector<uint32_t> starts(net.num_nodes(), 0);
      std::vector<uint32_t> ends(net.num_nodes(), 0);
      uint32_t total = 0;
      for (const ArcId arc : net.arcs()) {
        total += sent[index(arc)];
        EXPECT_TRUE(sent[index(arc)] == 0 || std::ranges::find(order, arc) != order.end()) << spec;
        starts[index(net.tail(arc))] += sent[index(arc)];
        ends[index(net.head(arc))] += sent[index(arc)];
      }
      for (const NodeId v : net.nodes()) {
        EXPECT_LE(starts[index(v)], 1U) << spec;
        EXPECT_LE(ends[index(v)], 1U) << spec;
      }
      std::vector<char> start(net.num_nodes(), 0);
      std::vector<char> end(net.num_nodes(), 0);
      EXPECT_EQ(total, most_at_once(net, order, start, end)) << spec << ", trial " << trial;
    }
  }
}

TEST(UrgentLinks, TheMostUrgentIsServed) {
  const Topology net = parse_topology("complete(4)");
  UrgentLinks links(net, Ports{2}, kOnePort);
  Rng rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<ArcId> order = arcs_of(net);
    rng.shuffle(order);
    const auto sent = links.choose(order, [](ArcId) { return size_t{1}; });
    EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), 0U), 4U) << "every node hears from somebody";
  }
}

// A wide link sends as many as wait.
TEST(UrgentLinks, FillsLanes) {
  const Topology net = parse_topology("fat_tree(2^2;exponential)");
  UrgentLinks links(net, kAllPorts, kAllPorts);
  const std::vector<ArcId> all = arcs_of(net);
  const auto sent = links.choose(all, [](ArcId) { return size_t{3}; });
  for (const ArcId arc : net.arcs()) EXPECT_EQ(sent[index(arc)], std::min(net.capacity(arc), 3U));
}

}  // namespace urgent_links_test
}  // namespace quadrille
