#include "quadrille/verify/witnesses/useful.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostLookedAt = 200'000'000;  // nodes, for all origins

// The network in the direction in which copies spread; for sums it is turned round.
struct Around {
  Around(const Problem& problem, bool sums) {
    const Topology& net = problem.topology();
    after.resize(net.num_nodes());
    before.resize(net.num_nodes());
    a_step.resize(net.num_nodes(), 0);
    for (const ArcId arc : net.arcs()) {
      const NodeId a = sums ? net.head(arc) : net.tail(arc);
      const NodeId b = sums ? net.tail(arc) : net.head(arc);
      after[index(a)].insert(b);
      before[index(b)].insert(a);
      a_step[index(a)] += net.capacity(arc);
    }
    const Ports ports = sums ? problem.model().receive : problem.model().send;
    if (ports.unlimited()) return;
    for (uint64_t& most : a_step) most = std::min<uint64_t>(most, ports.count);
  }

  std::vector<std::set<NodeId>> after;
  std::vector<std::set<NodeId>> before;
  std::vector<uint64_t> a_step;  // what a node can make in it
};

// Nodes that a block of the origin must come to.
uint64_t needed(const Topology& net, const Around& around, NodeId origin) {
  std::vector<char> is_needed(net.num_nodes(), 0);
  for (const NodeId v : net.endpoints()) is_needed[index(v)] = 1;
  if (around.after[index(origin)].size() == 1) is_needed[index(*around.after[index(origin)].begin())] = 1;
  is_needed[index(origin)] = 0;
  uint64_t number = 0;
  for (const NodeId v : net.nodes()) {
    if (is_needed[index(v)] != 1) continue;
    // Counted once, with whoever alone leads to it, and to that one.
    for (NodeId u = v; u != origin && is_needed[index(u)] < 2;) {
      is_needed[index(u)] = 2;
      ++number;
      if (around.before[index(u)].size() == 1) u = *around.before[index(u)].begin();
    }
  }
  return number;
}

std::vector<uint32_t> hops_to_all(const Around& around, std::vector<NodeId> wave) {
  std::vector<uint32_t> hops(around.after.size(), UINT32_MAX);
  for (uint32_t distance = 0; !wave.empty(); ++distance) {
    std::vector<NodeId> beyond;
    for (const NodeId v : wave) {
      if (hops[index(v)] != UINT32_MAX) continue;
      hops[index(v)] = distance;
      beyond.insert(beyond.end(), around.after[index(v)].begin(), around.after[index(v)].end());
    }
    wave = std::move(beyond);
  }
  return hops;
}

// Nodes that have nothing of their own, and yet something to send.
struct Relays {
  std::vector<uint32_t> hops;
  std::vector<Int128> most;  // of each, however early it begins
  uint64_t fastest = 0;
};

// What they can make, where the others make `first` in a step: whoever can make most is reached first.
Int128 made_by(Relays relays, uint64_t first, uint64_t steps) {
  std::ranges::sort(relays.hops);
  std::ranges::sort(relays.most, std::greater<>());
  Int128 sum = 0;
  Int128 room = 0;  // for nodes that have been reached
  size_t reached = 0;
  for (uint64_t step = 1; step < steps && reached < relays.hops.size(); ++step) {
    room += Int128{first} + Int128{reached} * relays.fastest;
    if (room == 0) return 0;
    for (; reached < relays.hops.size() && reached < room && relays.hops[reached] <= step; ++reached)
      sum += std::min(relays.most[reached], Int128{relays.fastest} * (steps - step));
  }
  return sum;
}

}  // namespace

uint64_t proved_by_useful_sends(const Problem& problem, const SendsWitness& sends) {
  const Topology& net = problem.topology();
  const Collective& collective = problem.collective();
  const CollectiveKind kind = collective.kind();
  const bool sums = kind == CollectiveKind::kReduce || kind == CollectiveKind::kReduceScatter;
  if (!sums && kind != CollectiveKind::kBroadcast && kind != CollectiveKind::kAllgather) return 0;
  std::vector<NodeId> origins(net.endpoints().begin(), net.endpoints().end());
  if (collective.root()) origins = {net.endpoint(*collective.root())};
  if (uint64_t{net.num_nodes()} * origins.size() > kMostLookedAt) return 0;

  const Around around(problem, sums);
  const Int128 pieces = collective.pieces();
  Int128 useful = 0;
  for (const NodeId origin : origins) useful += pieces * needed(net, around, origin);
  const std::vector<uint32_t> hops = hops_to_all(around, origins);
  Int128 made = 0;
  uint64_t first = 0;
  Relays relays;
  for (const NodeId v : net.nodes()) {
    if (hops[index(v)] == UINT32_MAX) continue;
    const std::set<NodeId>& after = around.after[index(v)];
    const std::set<NodeId>& before = around.before[index(v)];
    const bool back_to_one = !before.empty() && std::ranges::includes(after, before);
    const Int128 own = hops[index(v)] == 0 ? pieces : Int128{0};
    const Int128 foreign = pieces * origins.size() - own;
    const Int128 in_all = own * after.size() + foreign * (after.size() - (back_to_one ? 1 : 0));
    if (in_all == 0) continue;
    const uint64_t a_step = around.a_step[index(v)];
    const Int128 most = std::min(in_all, Int128{a_step} * sends.steps);
    if (hops[index(v)] == 0) {
      made += most;
      first += a_step;
      continue;
    }
    relays.hops.push_back(hops[index(v)]);
    relays.most.push_back(most);
    relays.fastest = std::max(relays.fastest, a_step);
  }
  made += made_by(std::move(relays), first, sends.steps);
  return made < useful ? uint64_t{sends.steps} + 1 : 0;
}

}  // namespace quadrille
