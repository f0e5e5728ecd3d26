#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {

std::vector<std::vector<ArcId>> arcs_into(const Topology& topology) {
  std::vector<std::vector<ArcId>> out(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) out[index(topology.head(arc))].push_back(arc);
  return out;
}

}  // namespace quadrille
