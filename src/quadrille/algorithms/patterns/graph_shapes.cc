#include "quadrille/algorithms/patterns/graph_shapes.h"

#include <algorithm>

namespace quadrille {
namespace {

// From a node on, never back where it came from, until it ends or closes.
std::vector<NodeId> walk(const Topology& topology, NodeId start) {
  std::vector<NodeId> order{start};
  order.reserve(topology.num_nodes());
  NodeId before = kNoNode;
  while (order.size() < topology.num_nodes()) {
    const NodeId at = order.back();
    NodeId next = kNoNode;
    for (const ArcId arc : topology.arcs_from(at)) {
      if (topology.head(arc) == before) continue;
      next = topology.head(arc);
      break;
    }
    if (next == kNoNode || next == start) break;
    before = at;
    order.push_back(next);
  }
  return order;
}

}  // namespace

std::optional<std::vector<NodeId>> as_path(const Topology& topology) {
  if (topology.is_directed() || topology.num_arcs() != 2 * (uint64_t{topology.num_nodes()} - 1))
    return std::nullopt;
  NodeId end = NodeId{0};
  for (const NodeId v : topology.nodes()) {
    if (topology.out_degree(v) > 2) return std::nullopt;
    if (topology.out_degree(v) == 1 && topology.out_degree(end) != 1) end = v;
  }
  return walk(topology, end);
}

std::optional<std::vector<NodeId>> as_cycle(const Topology& topology) {
  if (topology.is_directed() || topology.num_nodes() < 3) return std::nullopt;
  for (const NodeId v : topology.nodes()) {
    if (topology.out_degree(v) != 2) return std::nullopt;
  }
  return walk(topology, NodeId{0});
}

std::optional<TorusShape> as_torus(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) return std::nullopt;
  const std::vector<uint32_t> moduli = cayley->group->cyclic_moduli();
  const auto position = [cayley](uint32_t element) -> std::optional<uint32_t> {
    const auto& all = cayley->generators;
    const auto at = std::lower_bound(all.begin(), all.end(), element);
    if (at == all.end() || *at != element) return std::nullopt;
    return static_cast<uint32_t>(at - all.begin());
  };
  TorusShape shape;
  size_t found = 0;
  uint32_t stride = topology.num_nodes();
  for (const uint32_t side : moduli) {
    stride /= side;
    if (side == 1) continue;
    const std::optional<uint32_t> up = position(stride);
    const std::optional<uint32_t> down = position(stride * (side - 1));
    if (!up || !down) return std::nullopt;
    shape.sides.push_back(side);
    shape.strides.push_back(stride);
    shape.up.push_back(*up);
    shape.down.push_back(*down);
    found += side == 2 ? 1 : 2;
  }
  if (found != cayley->generators.size()) return std::nullopt;
  return shape;
}

bool is_complete(const Topology& topology) {
  const uint64_t n = topology.num_nodes();
  return topology.num_arcs() == n * (n - 1);
}

}  // namespace quadrille
