#include "quadrille/algorithms/graphs/graph_shapes.h"

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

// One dimension, from the coordinate of every node: neighbours are one apart in it and equal elsewhere.
MeshShape::Dimension make_dimension(const Topology& topology, uint32_t side,
                                    std::vector<uint32_t> coordinate) {
  MeshShape::Dimension out{side, std::move(coordinate), {}, {}};
  out.up.assign(topology.num_nodes(), kNoArc);
  out.down.assign(topology.num_nodes(), kNoArc);
  for (const ArcId arc : topology.arcs()) {
    const size_t tail = index(topology.tail(arc));
    const size_t head = index(topology.head(arc));
    if (out.coordinate[head] == out.coordinate[tail] + 1) out.up[tail] = arc;
    if (out.coordinate[tail] == out.coordinate[head] + 1) out.down[tail] = arc;
  }
  return out;
}

// The place of every node along a path.
std::vector<uint32_t> places(const std::vector<NodeId>& path) {
  std::vector<uint32_t> place(path.size());
  for (uint32_t i = 0; i < path.size(); ++i) place[index(path[i])] = i;
  return place;
}

// A factor: where its nodes are on a line, and whether the line is closed to a cycle.
struct Line {
  std::vector<uint32_t> place;
  bool closed = false;
};

std::optional<Line> path_or_cycle(const Topology& topology) {
  if (const std::optional<std::vector<NodeId>> path = as_path(topology)) return Line{places(*path), false};
  if (const std::optional<std::vector<NodeId>> cycle = as_cycle(topology)) return Line{places(*cycle), true};
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<NodeId>> as_path(const Topology& topology) {
  if (topology.is_outline()) return std::nullopt;  // what is no longer than its factors is listed
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
  if (topology.is_outline() || topology.is_directed() || topology.num_nodes() < 3) return std::nullopt;
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

std::optional<MeshShape> mesh_within(const Topology& topology) {
  MeshShape shape;
  const auto add = [&](uint32_t side, bool closed, auto coordinate_of) {
    if (side == 1) return;
    if (topology.is_outline()) {
      shape.dimensions.push_back({.side = side, .closed = closed});
      return;
    }
    std::vector<uint32_t> coordinate(topology.num_nodes());
    for (const NodeId v : topology.nodes()) coordinate[index(v)] = coordinate_of(v);
    shape.dimensions.push_back(make_dimension(topology, side, std::move(coordinate)));
    shape.dimensions.back().closed = closed;
  };
  const auto add_line = [&](const Line& line) {
    add(topology.num_nodes(), line.closed, [&](NodeId v) { return line.place[index(v)]; });
  };
  if (const std::optional<std::vector<NodeId>> path = as_path(topology)) {
    add_line({places(*path), false});
    return shape;
  }
  if (const ProductStructure* product = topology.product()) {
    for (size_t i = 0; i < product->factors.size(); ++i) {
      const std::optional<Line> line = path_or_cycle(product->factors[i]);
      if (!line) return std::nullopt;
      add(product->factors[i].num_nodes(), line->closed,
          [&](NodeId v) { return line->place[product->coordinate(v, i)]; });
    }
    return shape;
  }
  // Before cycles: mesh(2,2) and hypercube(2) are cycles, too, and have two dimensions.
  if (const std::optional<TorusShape> torus = as_torus(topology)) {
    for (size_t i = 0; i < torus->sides.size(); ++i) {
      const uint32_t side = torus->sides[i];
      add(side, side > 2, [stride = torus->strides[i], side](NodeId v) {
        return static_cast<uint32_t>(index(v)) / stride % side;
      });
    }
    return shape;
  }
  const std::optional<std::vector<NodeId>> cycle = as_cycle(topology);
  if (!cycle) return std::nullopt;
  add_line({places(*cycle), true});
  return shape;
}

}  // namespace quadrille
