#include "quadrille/algorithms/graphs/next_hops.h"

#include <limits>
#include <mutex>
#include <optional>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

// The arcs that lead into each node.
struct ArcsInto {
  explicit ArcsInto(const Topology& topology) : begin(size_t{topology.num_nodes()} + 1, 0) {
    for (const NodeId head : topology.heads()) ++begin[index(head) + 1];
    for (size_t v = 0; v < topology.num_nodes(); ++v) begin[v + 1] += begin[v];
    arcs.resize(topology.num_arcs());
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (const ArcId arc : topology.arcs()) arcs[next[index(topology.head(arc))]++] = arc;
  }

  std::vector<uint32_t> begin;
  std::vector<ArcId> arcs;
};

// Of the arcs that lead closer, the one that `pick` counts off.
ArcId closer_arc(const Topology& topology, NodeId at, const uint32_t* length, size_t pick) {
  const uint32_t wanted = length[index(at)] - 1;
  size_t count = 0;
  for (const ArcId arc : topology.arcs_from(at)) count += length[index(topology.head(arc))] == wanted ? 1 : 0;
  size_t skip = pick % count;
  for (const ArcId arc : topology.arcs_from(at)) {
    if (length[index(topology.head(arc))] != wanted) continue;
    if (skip-- == 0) return arc;
  }
  QUADRILLE_CHECK(false, topology.name());
  return kNoArc;
}

}  // namespace

NextHops::NextHops(const Topology& topology, Routing routing)
    : num_nodes_(topology.num_nodes()),
      arcs_(num_nodes_ * topology.num_endpoints(), kNoArc),
      lengths_(num_nodes_ * topology.num_endpoints(), kFar) {
  if (routing == Routing::kDimensionOrder) {
    fill_dimension_order(topology);
  } else {
    fill_shortest(topology);
  }
}

void NextHops::fill_shortest(const Topology& topology) {
  const ArcsInto into(topology);
  std::vector<NodeId> queue;
  for (size_t r = 0; r < topology.num_endpoints(); ++r) {
    uint32_t* length = &lengths_[r * num_nodes_];
    ArcId* next = &arcs_[r * num_nodes_];
    queue.assign(1, topology.endpoints()[r]);
    length[index(queue[0])] = 0;
    size_t neighbours = 0;  // which have no choice
    for (size_t i = 0; i < queue.size() && queue.size() < num_nodes_; ++i) {
      const size_t v = index(queue[i]);
      for (uint32_t a = into.begin[v]; a < into.begin[v + 1]; ++a) {
        const NodeId u = topology.tail(into.arcs[a]);
        if (length[index(u)] != kFar) continue;
        length[index(u)] = length[v] + 1;
        if (i == 0) next[index(u)] = into.arcs[a];
        queue.push_back(u);
      }
      if (i == 0) neighbours = queue.size() - 1;
    }
    for (size_t i = 1 + neighbours; i < queue.size(); ++i)
      next[index(queue[i])] = closer_arc(topology, queue[i], length, r);
  }
}

void NextHops::fill_dimension_order(const Topology& topology) {
  const ProductStructure* product = topology.product();
  QUADRILLE_CHECK(product != nullptr, topology.name());
  // In each factor, the next node towards every node of it (not only towards its endpoints).
  const size_t dimensions = product->factors.size();
  std::vector<NextHops> factor_hops;
  for (const Topology& factor : product->factors) {
    TopologyBuilder builder(factor.name(), factor.num_nodes());
    for (const ArcId arc : factor.arcs())
      builder.arc(factor.tail(arc), factor.head(arc), factor.capacity(arc));
    factor_hops.emplace_back(builder.build(), Routing::kShortest);
  }
  // Of each node its coordinates and, by dimension, its arc towards each value of that coordinate.
  std::vector<uint32_t> coordinates(num_nodes_ * dimensions);
  for (const NodeId v : topology.nodes())
    for (size_t i = 0; i < dimensions; ++i)
      coordinates[index(v) * dimensions + i] = product->coordinate(v, i);
  std::vector<std::vector<ArcId>> towards(dimensions);
  for (size_t i = 0; i < dimensions; ++i) {
    const Topology& factor = product->factors[i];
    towards[i].resize(num_nodes_ * factor.num_nodes(), kNoArc);
    std::vector<ArcId> to_neighbour(factor.num_nodes());
    for (const NodeId v : topology.nodes()) {
      const NodeId at{coordinates[index(v) * dimensions + i]};
      for (const ArcId arc : factor.arcs_from(at)) {
        const uint32_t neighbour = static_cast<uint32_t>(index(factor.head(arc)));
        to_neighbour[neighbour] = *topology.find_arc(v, product->with_coordinate(v, i, neighbour));
      }
      for (const NodeId end : factor.nodes()) {
        if (end == at) continue;
        const ArcId step = factor_hops[i].arc(Rank{static_cast<uint32_t>(index(end))}, at);
        towards[i][index(v) * factor.num_nodes() + index(end)] = to_neighbour[index(factor.head(step))];
      }
    }
  }
  for (size_t r = 0; r < topology.num_endpoints(); ++r) {
    const uint32_t* to = &coordinates[index(topology.endpoints()[r]) * dimensions];
    for (size_t v = 0; v < num_nodes_; ++v) {
      const uint32_t* from = &coordinates[v * dimensions];
      uint32_t total = 0;
      ArcId first = kNoArc;
      for (size_t i = 0; i < dimensions; ++i) {
        if (from[i] == to[i]) continue;
        if (first == kNoArc) first = towards[i][v * product->factors[i].num_nodes() + to[i]];
        total += factor_hops[i].length(Rank{to[i]}, NodeId{from[i]});
      }
      arcs_[r * num_nodes_ + v] = first;
      lengths_[r * num_nodes_ + v] = total;
    }
  }
}

std::shared_ptr<const NextHops> next_hops_of(const Topology& topology, Routing routing) {
  struct Kept {
    Topology topology;
    Routing routing;
    std::shared_ptr<const NextHops> hops;
  };
  constexpr uint64_t kMostEntries = uint64_t{1} << 22U;
  static std::mutex mutex;
  static std::optional<Kept> last;
  {
    const std::lock_guard lock(mutex);
    if (last && last->routing == routing && last->topology.is_copy_of(topology)) return last->hops;
  }
  auto made = std::make_shared<const NextHops>(topology, routing);
  if (uint64_t{topology.num_nodes()} * topology.num_endpoints() > kMostEntries) return made;
  const std::lock_guard lock(mutex);
  last = Kept{topology, routing, made};
  return made;
}

}  // namespace quadrille
