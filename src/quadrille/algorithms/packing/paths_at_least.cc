#include "quadrille/algorithms/packing/paths_at_least.h"

#include <algorithm>
#include <vector>

#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"

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
  std::vector<uint64_t> out(topology.num_nodes(), 0);  // what links carry
  std::vector<uint64_t> in(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    out[index(topology.tail(arc))] += topology.capacity(arc);
    in[index(topology.head(arc))] += topology.capacity(arc);
  }
  uint64_t all_send = 0;
  for (uint64_t& capacity : out) all_send += capacity = within(problem.model().send, capacity);

  if (is_alike(problem)) {
    const uint64_t pieces = problem.collective().pieces();
    const uint64_t others = topology.num_nodes() - 1;
    Int128 hops_of_one = 0;
    for (const uint32_t away : distances_from(topology, NodeId{0})) hops_of_one += away;
    uint64_t least = steps_for(hops_of_one * pieces * topology.num_nodes(), all_send);
    for (const NodeId v : topology.nodes()) {
      const uint64_t receives = within(problem.model().receive, in[index(v)]);
      least = std::max(least, steps_for(Int128{others} * pieces, std::min(out[index(v)], receives)));
    }
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
    least = std::max(least, steps_for(sent, out[index(v)]));
  }
  for (const NodeId v : topology.endpoints())
    least = std::max(least, steps_for(received[index(v)], within(problem.model().receive, in[index(v)])));
  return std::max(least, steps_for(hops, all_send));
}

}  // namespace quadrille
