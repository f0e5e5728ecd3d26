#include "quadrille/algorithms/placed_ranks/rank_sides.h"

#include <optional>

#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille {

std::vector<uint32_t> sides_of(const Topology& topology) {
  std::vector<uint32_t> out;
  if (!topology.has_routers()) {
    if (const std::optional<TorusShape> torus = as_torus(topology)) {
      out = torus->sides;
    } else if (const ProductStructure* product = topology.product()) {
      for (const Topology& factor : product->factors)
        if (factor.num_nodes() > 1) out.push_back(factor.num_nodes());
    }
  }
  if (out.empty()) out.push_back(topology.num_endpoints());
  return out;
}

}  // namespace quadrille
