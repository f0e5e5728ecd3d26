#include "quadrille/transforms/mending/dead_parts.h"

#include <algorithm>

namespace quadrille {

DeadParts::DeadParts(const Topology& topology, const Faults& faults)
    : nodes_(topology.num_nodes(), 0), arcs_(topology.num_arcs(), 0) {
  for (const NodeId v : faults.nodes) nodes_[index(v)] = 1;
  for (const ArcId arc : faults.arcs) arcs_[index(arc)] = 1;
  for (const ArcId arc : topology.arcs())
    if (has(topology.tail(arc)) || has(topology.head(arc))) arcs_[index(arc)] = 1;
}

bool DeadParts::on(std::span<const ArcId> path) const {
  return std::ranges::any_of(path, [this](ArcId arc) { return has(arc); });
}

}  // namespace quadrille
