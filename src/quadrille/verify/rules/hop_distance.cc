#include "quadrille/verify/rules/hop_distance.h"

#include <algorithm>
#include <thread>

#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

std::vector<uint32_t> distances_from(const Topology& topology, NodeId source) {
  std::vector<uint32_t> distance(topology.num_nodes(), UINT32_MAX);
  std::vector<NodeId> queue{source};
  distance[index(source)] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    const NodeId v = queue[i];
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId w = topology.head(arc);
      if (distance[index(w)] != UINT32_MAX) continue;
      distance[index(w)] = distance[index(v)] + 1;
      queue.push_back(w);
    }
  }
  return distance;
}

size_t share_of_a_thread() {
  return memory_limit().bytes / 16 / std::clamp(std::thread::hardware_concurrency(), 1U, 64U);
}

// Whether every arc joins numbers that differ by one, or, on a ring, the first and the last.
bool joins_neighbours(const Topology& graph, bool round) {
  const uint32_t last = graph.num_nodes() - 1;
  for (const ArcId arc : graph.arcs()) {
    const auto a = static_cast<uint32_t>(index(graph.tail(arc)));
    const auto b = static_cast<uint32_t>(index(graph.head(arc)));
    const uint32_t apart = a < b ? b - a : a - b;
    if (apart != 1 && !(round && apart == last)) return false;
  }
  return true;
}

}  // namespace

HopDistance::HopDistance(const Topology& topology) : HopDistance(topology, share_of_a_thread()) {}

HopDistance::HopDistance(const Topology& topology, size_t bytes) : topology_(topology) {
  if (const ProductStructure* product = topology.product()) {
    for (const Topology& factor : product->factors) parts_.push_back({factor, shape_of(factor)});
  } else {
    parts_.push_back({topology, shape_of(topology)});
  }
  const size_t share = bytes / parts_.size();
  for (Part& part : parts_) {
    if (part.shape != Shape::kOther) continue;
    const size_t nodes = part.graph.num_nodes();
    part.rows.resize(std::clamp<size_t>(share / (nodes * sizeof(uint32_t)), 1, nodes));
  }
}

// No two arcs of a graph have the same ends, so that their number tells whether all are there.
HopDistance::Shape HopDistance::shape_of(const Topology& graph) {
  const uint64_t nodes = graph.num_nodes();
  const uint64_t arcs = graph.num_arcs();
  if (arcs == 2 * (nodes - 1) && joins_neighbours(graph, false)) return Shape::kLine;
  if (nodes > 2 && arcs == 2 * nodes && joins_neighbours(graph, true)) return Shape::kRing;
  return arcs == nodes * (nodes - 1) ? Shape::kComplete : Shape::kOther;
}

uint32_t HopDistance::between(NodeId from, NodeId to) {
  const ProductStructure* product = topology_.product();
  if (product == nullptr) {
    return within(parts_[0], static_cast<uint32_t>(index(from)), static_cast<uint32_t>(index(to)));
  }
  uint32_t sum = 0;
  for (size_t d = 0; d < parts_.size(); ++d)
    sum += along(d, product->coordinate(from, d), product->coordinate(to, d));
  return sum;
}

uint32_t HopDistance::along(size_t dimension, uint32_t from, uint32_t to) {
  return within(parts_[dimension], from, to);
}

uint32_t HopDistance::within(Part& part, uint32_t from, uint32_t to) {
  const uint32_t apart = from < to ? to - from : from - to;
  switch (part.shape) {
    case Shape::kLine:
      return apart;
    case Shape::kRing:
      return std::min(apart, part.graph.num_nodes() - apart);
    case Shape::kComplete:
      return apart == 0 ? 0 : 1;
    case Shape::kOther:
      break;
  }
  return row(part, from)[to];
}

const std::vector<uint32_t>& HopDistance::row(Part& part, uint32_t from) {
  Row& row = part.rows[from % part.rows.size()];
  if (row.source != NodeId{from}) {
    row = {NodeId{from}, distances_from(part.graph, NodeId{from})};
    ++searches_;
  }
  return row.hops;
}

}  // namespace quadrille
