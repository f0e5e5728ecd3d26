#include "quadrille/algorithms/packing/priced/paths_at_least.h"

#include <algorithm>
#include <vector>

#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

uint64_t within(Ports ports, uint64_t capacity) {
  return ports.unlimited() ? capacity : std::min<uint64_t>(capacity, ports.count);
}

// What nodes that are all alike exchange: the first one's distances are everybody's.
bool is_alike(const Problem& problem) {
  const Topology& topology = problem.topology();
  return problem.collective().counts() == nullptr && topology.cayley() != nullptr && !topology.has_routers();
}

uint64_t steps_for(Int128 blocks, uint64_t in_a_step) {
  return in_a_step == 0 ? 0 : static_cast<uint64_t>((blocks + in_a_step - 1) / in_a_step);
}

}  // namespace

uint64_t paths_at_least(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const Counts* counts = collective.counts();
  std::vector<NodeKind> nodes = each_node(topology);  // what their links and ports let through
  uint64_t all_send = 0;
  for (NodeKind& node : nodes) {
    all_send += node.out = within(problem.model().send, node.out);
    node.in = within(problem.model().receive, node.in);
  }

  if (is_alike(problem)) {
    const uint64_t pieces = problem.collective().pieces();
    const uint64_t others = topology.num_nodes() - 1;
    Int128 hops_of_one = 0;
    for (const uint32_t away : distances_from(topology, NodeId{0})) hops_of_one += away;
    uint64_t least = steps_for(hops_of_one * pieces * topology.num_nodes(), all_send);
    for (const NodeKind& node : nodes)
      least = std::max(least, steps_for(Int128{others} * pieces, std::min(node.out, node.in)));
    return least;
  }
  std::vector<Int128> received(topology.num_nodes(), 0);
  Int128 hops = 0;
  uint64_t least = 0;
  for (const NodeId v : topology.endpoints()) {
    const std::vector<uint32_t> away = distances_from(topology, v);
    Int128 sent = 0;
    const auto add = [&](NodeId to, uint64_t blocks) {
      if (to == v) return;
      hops += Int128{blocks} * away[index(to)];
      sent += blocks;
      received[index(to)] += blocks;
    };
    if (counts == nullptr) {
      for (const NodeId other : topology.endpoints()) add(other, collective.pieces());
    } else {
      for (const Counts::Entry& entry : counts->from(*topology.rank(v)))
        add(topology.endpoint(entry.to), entry.count);
    }
    least = std::max(least, steps_for(sent, nodes[index(v)].out));
  }
  for (const NodeId v : topology.endpoints())
    least = std::max(least, steps_for(received[index(v)], nodes[index(v)].in));
  return std::max(least, steps_for(hops, all_send));
}

}  // namespace quadrille
