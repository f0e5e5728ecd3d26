#include "quadrille/algorithms/worm_exchange/gossip_among_few.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "quadrille/topology/topology_spec.h"

namespace quadrille::gossip_among_few_test {

Problem gossip(std::string_view spec, Ports ports, Duplex duplex = Duplex::kFull) {
  const Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole, .duplex = duplex};
  return standard_problem(parse_topology(spec), CollectiveKind::kAllgather, model);
}

std::vector<NodeId> endpoints(const Problem& problem) {
  return {problem.topology().endpoints().begin(), problem.topology().endpoints().end()};
}

uint64_t limit(Ports ports) { return ports.unlimited() ? UINT64_MAX : ports.count; }

// Followed apart from the search: whom everybody has heard of in the end, if ports and links allow every step.
void expect_gossip(const Problem& problem, const GossipSteps& steps) {
  const Topology& net = problem.topology();
  std::vector<std::set<NodeId>> heard(net.num_nodes());
  for (const NodeId v : net.endpoints()) heard[index(v)].insert(v);
  for (const std::vector<GossipWorm>& step : steps) {
    std::vector<uint64_t> load(net.num_arcs(), 0);
    std::vector<uint64_t> sent(net.num_nodes(), 0);
    std::vector<uint64_t> received(net.num_nodes(), 0);
    const std::vector<std::set<NodeId>> before = heard;
    for (const GossipWorm& worm : step) {
      NodeId at = worm.from;
      for (const ArcId arc : worm.path) {
        ASSERT_EQ(net.tail(arc), at);
        at = net.head(arc);
        EXPECT_LE(++load[index(arc)], net.capacity(arc)) << net.name();
        if (problem.model().duplex == Duplex::kHalf) {
          EXPECT_EQ(load[index(net.reverse(arc))], 0U);
        }
      }
      ASSERT_EQ(at, worm.to);
      EXPECT_LE(++sent[index(worm.from)], limit(problem.model().send)) << net.name();
      EXPECT_LE(++received[index(worm.to)], limit(problem.model().receive)) << net.name();
      heard[index(worm.to)].insert(before[index(worm.from)].begin(), before[index(worm.from)].end());
    }
  }
  for (const NodeId v : net.endpoints()) EXPECT_EQ(heard[index(v)].size(), net.num_endpoints()) << net.name();
}

TEST(GossipAmongFew, AllHearOfAllWithinPortsAndLinks) {
  for (const std::string_view spec :
       {"ring(5)", "mesh(3,4)", "jellyfish(8,3,2;1)", "fat_tree(2^3;exponential)", "kautz(2,2)",
        "complete(9)", "tree(3,3)", "torus(4,8)"}) {
    for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
      const Problem problem = gossip(spec, ports);
      GossipAmongFew search(problem, endpoints(problem));
      const GossipSteps first = search.forward();
      expect_gossip(problem, first);
      const GossipSteps fewer = search.improved(first, 1, 200'000);
      expect_gossip(problem, fewer);
      EXPECT_LE(fewer.size(), first.size());
    }
  }
}

TEST(GossipAmongFew, LinksOfHalfDuplexGoOneWayInAStep) {
  for (const std::string_view spec : {"ring(6)", "mesh(3,3)", "fat_tree(2^2;exponential)"}) {
    const Problem problem = gossip(spec, kAllPorts, Duplex::kHalf);
    GossipAmongFew search(problem, endpoints(problem));
    expect_gossip(problem, search.improved(search.forward(), 1, 200'000));
  }
}

struct Row {
  std::string_view spec;
  Ports ports;
  size_t steps;
};

// The larger search took up to 40 times as long for these, and on the rings and the line a step more.
constexpr Row kFound[] = {
    {"mesh(4,4)", kAllPorts, 3},   {"random_regular(16,3;1)", kAllPorts, 3},
    {"ring(16)", kAllPorts, 5},    {"line(16)", kOnePort, 7},
    {"clos(4)", kOnePort, 4},      {"ring(24)", kAllPorts, 6},
    {"hypercube(4)", Ports{2}, 3},
};

TEST(GossipAmongFew, FindsTheFewestKnownWithLittleWork) {
  for (const Row& row : kFound) {
    const Problem problem = gossip(row.spec, row.ports);
    GossipAmongFew search(problem, endpoints(problem));
    EXPECT_LE(search.improved(search.forward(), row.steps, 8'000'000).size(), row.steps) << row.spec;
  }
}

TEST(GossipAmongFew, GivesUpWhereManyPairsAreLeft) {
  // In two steps nobody on these hears of all.
  for (const std::string_view spec : {"torus(4,4)", "hypercube(4)", "random_regular(16,4;1)"}) {
    const Problem problem = gossip(spec, kAllPorts);
    GossipAmongFew search(problem, endpoints(problem));
    const GossipSteps three = search.improved(search.forward(), 3, 2'000'000);
    ASSERT_EQ(three.size(), 3U) << spec;
    const uint64_t before = search.work();
    EXPECT_FALSE(search.with_fewer(three, 2'000'000)) << spec;
    EXPECT_LE(search.work() - before, 300'000U) << spec;
  }
}

TEST(GossipAmongFew, SearchesWhatFitsIntoAWord) {
  EXPECT_TRUE(GossipAmongFew::can_search(parse_topology("torus(4,8)")));
  EXPECT_FALSE(GossipAmongFew::can_search(parse_topology("torus(3,11)")));
  EXPECT_TRUE(GossipAmongFew::can_search(parse_topology("fat_tree(2^5)")));  // 32 hosts, 31 switches
}

}  // namespace quadrille::gossip_among_few_test
