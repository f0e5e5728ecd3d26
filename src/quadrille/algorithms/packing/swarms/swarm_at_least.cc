#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/algorithms/packing/swarms/only_senders.h"

namespace quadrille {
namespace {

// The last piece of a broadcast leaves the root after the others, and its holders multiply no faster than by ports.
uint64_t broadcast_at_least(const Problem& problem) {
  const Topology& net = problem.topology();
  const Ports ports = problem.model().send;
  uint64_t own = 0;
  uint64_t fan_out = 1;
  for (const NodeId v : net.nodes()) {
    uint64_t links = 0;
    for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
    if (!ports.unlimited()) links = std::min<uint64_t>(links, ports.count);
    fan_out = std::max(fan_out, links);
    if (v == problem.origin(BlockId{0})) own = links;
  }
  uint64_t one = 0;
  for (uint64_t informed = 1; informed < net.num_endpoints(); informed += informed * fan_out) ++one;
  return (problem.collective().pieces() - 1) / std::max<uint64_t>(own, 1) + one;
}

}  // namespace

// Over links that go into a node comes all that is farther than so many hops from it, and the first of it not before it can.
uint64_t swarm_at_least(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint64_t pieces = problem.collective().pieces();
  std::vector<std::vector<NodeId>> from(net.num_nodes());
  std::vector<uint64_t> links(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) {
    from[index(net.head(arc))].push_back(net.tail(arc));
    links[index(net.head(arc))] += net.capacity(arc);
  }
  if (const Ports ports = problem.model().receive; !ports.unlimited())
    for (uint64_t& of_node : links) of_node = std::min<uint64_t>(of_node, ports.count);
  const std::optional<Rank> root = problem.collective().root();
  uint64_t most = root ? broadcast_at_least(problem) : 0;
  std::vector<uint32_t> hops;
  std::vector<NodeId> reached;
  // All nodes of a Cayley graph hear alike of what all others have.
  const bool are_alike = !root && net.cayley() != nullptr;
  for (const NodeId v : net.endpoints().first(are_alike ? 1 : net.num_endpoints())) {
    hops.assign(net.num_nodes(), UINT32_MAX);
    hops[index(v)] = 0;
    reached.assign(1, v);
    for (size_t i = 0; i < reached.size() && reached.size() < net.num_nodes(); ++i) {
      for (const NodeId u : from[index(reached[i])]) {
        if (hops[index(u)] != UINT32_MAX) continue;
        hops[index(u)] = hops[index(reached[i])] + 1;
        reached.push_back(u);
      }
    }
    uint64_t far = 0;
    for (size_t i = reached.size(); i-- > 1;) {
      if (root ? net.rank(reached[i]) == root : net.rank(reached[i]).has_value()) far += pieces;
      const uint32_t distance = hops[index(reached[i])];
      if (hops[index(reached[i - 1])] != distance)
        most = std::max(most, distance - 1 + (far + links[index(v)] - 1) / links[index(v)]);
    }
  }
  for (const OnlySender& sender : only_senders(net, problem.model().send)) {
    uint64_t blocks = 0;
    for (const NodeId v : sender.receivers) {
      if (root) blocks += net.rank(v) == root ? 0 : pieces;
      if (!root) blocks += pieces * (net.num_endpoints() - 1);
    }
    if (blocks > 0) most = std::max(most, sender.late + (blocks + sender.sends - 1) / sender.sends);
  }
  return most;
}

}  // namespace quadrille
