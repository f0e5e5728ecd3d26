#include "quadrille/algorithms/packing/swarms/only_senders.h"

#include <algorithm>
#include <map>

#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

std::vector<OnlySender> only_senders(const Topology& topology, Ports send) {
  std::vector<NodeId> sender(topology.num_nodes(), kNoNode);
  std::vector<char> has_several(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    NodeId& known = sender[index(topology.head(arc))];
    if (known != kNoNode && known != topology.tail(arc)) has_several[index(topology.head(arc))] = 1;
    known = topology.tail(arc);
  }
  std::map<NodeId, OnlySender> out;
  for (const NodeId v : topology.endpoints())
    if (sender[index(v)] != kNoNode && has_several[index(v)] == 0)
      out[sender[index(v)]].receivers.push_back(v);
  std::vector<OnlySender> all;
  for (auto& [node, one] : out) {
    one.sends = kind_of(topology, node).out;
    if (!send.unlimited()) one.sends = std::min<uint64_t>(one.sends, send.count);
    one.late = topology.rank(node) ? 0 : 1;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace quadrille
