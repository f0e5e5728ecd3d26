#include "quadrille/verify/witnesses/between.h"

#include <algorithm>
#include <vector>

namespace quadrille {
namespace {

// ceil(1/c) + .. + ceil(m/c).
Int128 least_sum(uint64_t blocks, uint64_t in_a_step) {
  Int128 sum = 0;
  uint64_t step = 1;
  for (; blocks > in_a_step; blocks -= in_a_step) sum += Int128{in_a_step} * step++;
  return sum + Int128{blocks} * step;
}

std::vector<uint32_t> hops_from(const Topology& net, NodeId start) {
  std::vector<uint32_t> hops(net.num_nodes(), UINT32_MAX);
  std::vector<NodeId> reached{start};
  hops[index(start)] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const ArcId arc : net.arcs_from(reached[i])) {
      uint32_t& there = hops[index(net.head(arc))];
      if (there != UINT32_MAX) continue;
      there = hops[index(reached[i])] + 1;
      reached.push_back(net.head(arc));
    }
  }
  return hops;
}

}  // namespace

Rational proved_between(const Problem& problem, const BetweenWitness& among) {
  const Topology& net = problem.topology();
  const Collective& collective = problem.collective();
  if (collective.flow() != Flow::kMove) return 0;
  std::vector<char> is_one(net.num_nodes(), 0);
  for (const NodeId v : among.nodes) is_one[index(v)] = 1;
  std::vector<uint64_t> sends(net.num_nodes(), 0);
  std::vector<uint64_t> receives(net.num_nodes(), 0);
  std::vector<std::vector<NodeId>> destinations(net.num_nodes());
  uint64_t blocks = 0;
  for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
    const NodeId from = problem.origin(BlockId{b});
    const NodeId to = problem.destination(BlockId{b});
    if (from == to || is_one[index(from)] == 0 || is_one[index(to)] == 0) continue;
    ++blocks;
    ++sends[index(from)];
    ++receives[index(to)];
    destinations[index(from)].push_back(to);
  }
  if (blocks == 0) return 0;
  std::vector<uint64_t> out(net.num_nodes(), 0);
  std::vector<uint64_t> in(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) {
    out[index(net.tail(arc))] += net.capacity(arc);
    in[index(net.head(arc))] += net.capacity(arc);
  }
  const auto at_once = [](Ports ports, uint64_t links) {
    return ports.unlimited() ? links : std::min<uint64_t>(ports.count, links);
  };
  Int128 sum = 0;
  for (const NodeId v : among.nodes) {
    const size_t at = index(v);
    if (!destinations[at].empty()) {
      const std::vector<uint32_t> hops = hops_from(net, v);
      for (const NodeId to : destinations[at]) sum += Int128{hops[index(to)]} - 1;
      sum += least_sum(sends[at], at_once(problem.model().send, out[at]));
    }
    if (receives[at] > 0) sum += least_sum(receives[at], at_once(problem.model().receive, in[at]));
  }
  return Rational::of(sum - blocks, blocks);
}

}  // namespace quadrille
