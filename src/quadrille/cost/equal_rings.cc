#include "quadrille/cost/equal_rings.h"

#include <algorithm>

namespace quadrille {

std::vector<uint64_t> torus_sides(const Topology& topology) {
  const ProductStructure* product = topology.product();
  if (product == nullptr) return {};
  std::vector<uint64_t> sides;
  for (const Topology& factor : product->factors) {
    const uint32_t n = factor.num_nodes();
    // Connected, and every node has two links: a circle.
    for (const NodeId v : factor.nodes()) {
      if (factor.out_degree(v) != 2) return {};
    }
    sides.push_back(n);
  }
  return sides;
}

std::optional<EqualRings> equal_rings(const Topology& topology) {
  const std::vector<uint64_t> sides = torus_sides(topology);
  if (sides.empty() || std::count(sides.begin(), sides.end(), sides.front()) != std::ssize(sides))
    return std::nullopt;
  return EqualRings{sides.size(), sides.front()};
}

std::optional<uint64_t> exact_log(uint64_t base, uint64_t n) {
  uint64_t p = 0;
  for (; n % base == 0; n /= base) ++p;
  return n == 1 ? std::optional<uint64_t>(p) : std::nullopt;
}

uint64_t ceil_log(uint64_t base, uint64_t n) {
  uint64_t steps = 0;
  for (uint64_t reached = 1; reached < n; reached *= base) ++steps;
  return steps;
}

std::optional<std::string> refuses_all_port_worms(const Problem& problem, bool ordered) {
  const Model& model = problem.model();
  if (model.switching != Switching::kWormhole) return "it is for worms";
  if (model.duplex == Duplex::kHalf) return "it is for full-duplex links";
  if (!model.send.unlimited() || !model.receive.unlimited()) return "it is for all ports";
  if (!ordered && model.routing == Routing::kDimensionOrder) return "its worms do not go in dimension order";
  return std::nullopt;
}

}  // namespace quadrille
