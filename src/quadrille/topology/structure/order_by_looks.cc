#include "quadrille/topology/structure/order_by_looks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace quadrille {
namespace {

// A link as its end sees it: the part where it leads to, which way, how wide.
using Sight = std::tuple<uint32_t, bool, uint32_t>;
using Looks = std::pair<uint32_t, std::vector<Sight>>;  // with the part that the node is in

// Parts are numbered by how many nodes are in parts before.
void part_further(const Topology& topology, std::vector<uint32_t>& part) {
  for (size_t before = 0;;) {
    std::vector<Looks> looks(topology.num_nodes());
    for (const NodeId v : topology.nodes()) looks[index(v)].first = part[index(v)];
    for (const ArcId arc : topology.arcs()) {
      const NodeId tail = topology.tail(arc);
      const NodeId head = topology.head(arc);
      looks[index(tail)].second.emplace_back(part[index(head)], true, topology.capacity(arc));
      looks[index(head)].second.emplace_back(part[index(tail)], false, topology.capacity(arc));
    }
    std::map<Looks, uint32_t> number;
    for (Looks& of_node : looks) {
      std::ranges::sort(of_node.second);
      ++number[of_node];
    }
    uint32_t first = 0;
    for (auto& [of_node, count] : number) first += std::exchange(count, first);
    for (size_t v = 0; v < part.size(); ++v) part[v] = number.at(looks[v]);
    if (number.size() == before) return;
    before = number.size();
  }
}

// How many ways of so many links lead from each node back to it: what tells apart the nodes of a network whose nodes all have as many
// links. Sums may wrap round.
std::vector<std::vector<uint64_t>> ways_back(const Topology& topology) {
  constexpr int kMostLinks = 8;
  std::vector<std::vector<uint64_t>> out(topology.num_nodes());
  for (const NodeId v : topology.nodes()) {
    std::vector<uint64_t> ways(topology.num_nodes(), 0);
    ways[index(v)] = 1;
    for (int links = 1; links <= kMostLinks; ++links) {
      std::vector<uint64_t> further(topology.num_nodes(), 0);
      for (const ArcId arc : topology.arcs())
        further[index(topology.head(arc))] += topology.capacity(arc) * ways[index(topology.tail(arc))];
      ways = std::move(further);
      out[index(v)].push_back(UINT64_MAX - ways[index(v)]);  // those of many ways first
    }
  }
  return out;
}

}  // namespace

std::vector<NodeId> order_by_looks(const Topology& topology) {
  const size_t nodes = topology.num_nodes();
  const std::vector<std::vector<uint64_t>> back = ways_back(topology);
  std::map<std::pair<bool, std::vector<uint64_t>>, uint32_t> kinds;
  for (const NodeId v : topology.nodes()) ++kinds[{!topology.rank(v), back[index(v)]}];
  uint32_t before = 0;
  for (auto& [kind, count] : kinds) before += std::exchange(count, before);
  std::vector<uint32_t> part(nodes, 0);
  for (const NodeId v : topology.nodes()) part[index(v)] = kinds.at({!topology.rank(v), back[index(v)]});
  for (;;) {
    part_further(topology, part);
    std::vector<uint32_t> size(nodes, 0);
    for (const uint32_t p : part) ++size[p];
    const auto several = std::ranges::find_if(size, [](uint32_t s) { return s > 1; });
    if (several == size.end()) break;
    const auto first = static_cast<uint32_t>(several - size.begin());
    const auto chosen = std::ranges::find(part, first);
    for (uint32_t& p : part)
      if (p == first) ++p;
    *chosen = first;
  }
  std::vector<NodeId> order(nodes);
  for (const NodeId v : topology.nodes()) order[part[index(v)]] = v;
  return order;
}

Topology in_order(const Topology& topology, const std::vector<NodeId>& order) {
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) place[index(order[i])] = i;
  TopologyBuilder builder(topology.name(), topology.num_nodes());
  builder.reserve_arcs(topology.num_arcs());
  for (const ArcId arc : topology.arcs())
    builder.arc(NodeId{place[index(topology.tail(arc))]}, NodeId{place[index(topology.head(arc))]},
                topology.capacity(arc));
  std::vector<NodeId> endpoints;
  for (const NodeId v : topology.endpoints()) endpoints.push_back(NodeId{place[index(v)]});
  std::ranges::sort(endpoints);
  builder.endpoints(std::move(endpoints));
  return builder.build();
}

}  // namespace quadrille
