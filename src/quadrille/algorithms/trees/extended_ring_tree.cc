#include "quadrille/algorithms/trees/extended_ring_tree.h"

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {

std::optional<ExtendedRing> as_extended_ring(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) return std::nullopt;
  const std::vector<uint32_t> moduli = cayley->group->cyclic_moduli();
  const auto proper = std::count_if(moduli.begin(), moduli.end(), [](uint32_t m) { return m > 1; });
  const uint32_t n = topology.num_nodes();
  if (moduli.empty() || proper != (n == 1 ? 0 : 1)) return std::nullopt;
  const std::vector<uint32_t>& jumps = cayley->generators;  // ascending, and closed under inverses
  const auto reach = static_cast<uint32_t>((jumps.size() + 1) / 2);
  for (size_t i = 0; i < reach; ++i) {
    if (jumps[i] != i + 1) return std::nullopt;
  }
  return ExtendedRing{n, reach};
}

std::vector<WeightedSend> first_sends(const ExtendedRing& ring) {
  std::vector<WeightedSend> out;
  if (ring.nodes == 1) return out;
  const uint32_t rho = ring.reach;
  const uint32_t diameter = (ring.nodes / 2 + rho - 1) / rho;
  const uint32_t back = (ring.nodes - 1) / rho - diameter;           // w
  const uint32_t longer = ring.nodes - 1 - (back + diameter) * rho;  // k
  for (uint32_t j = 1; j <= rho; ++j) out.push_back({j, diameter});
  for (uint32_t j = 1; j <= rho; ++j) {
    const uint32_t weight = j <= longer ? back + 1 : back;
    if (weight > 0) out.push_back({-int64_t{j}, weight});
  }
  return out;
}

std::optional<WeightedSend> next_send(const ExtendedRing& ring, const WeightedSend& received) {
  if (received.weight <= 1) return std::nullopt;
  const int64_t rho = ring.reach;
  return WeightedSend{received.jump > 0 ? rho : -rho, received.weight - 1};
}

SpanningTree extended_ring_tree(const Topology& topology, NodeId root) {
  const std::optional<ExtendedRing> ring = as_extended_ring(topology);
  QUADRILLE_CHECK(ring.has_value(), topology.name());
  const auto n = static_cast<int64_t>(ring->nodes);
  std::vector<ArcId> arc(topology.num_nodes(), kNoArc);
  for (const WeightedSend& first : first_sends(*ring)) {
    NodeId at = root;
    for (std::optional<WeightedSend> send = first; send; send = next_send(*ring, *send)) {
      const NodeId to = id_at<NodeId>((static_cast<int64_t>(index(at)) + send->jump + n) % n);
      QUADRILLE_CHECK(to != root && arc[index(to)] == kNoArc, topology.name());
      arc[index(to)] = topology.find_arc(at, to).value();
      at = to;
    }
  }
  return tree_of_arcs(topology, root, arc);
}

}  // namespace quadrille
