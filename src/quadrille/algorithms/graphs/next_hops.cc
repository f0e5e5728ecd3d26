#include "quadrille/algorithms/graphs/next_hops.h"

#include <limits>

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
  for (size_t r = 0; r < topology.num_endpoints(); ++r) {
    const NodeId to = topology.endpoints()[r];
    for (const NodeId v : topology.nodes()) {
      uint32_t total = 0;
      for (size_t i = dimensions; i-- > 0;) {
        const uint32_t from_i = product->coordinate(v, i);
        const Rank to_i{product->coordinate(to, i)};
        if (from_i == index(to_i)) continue;
        const Topology& factor = product->factors[i];
        const NodeId next_i = factor.head(factor_hops[i].arc(to_i, NodeId{from_i}));
        const NodeId next = product->with_coordinate(v, i, static_cast<uint32_t>(index(next_i)));
        arcs_[r * num_nodes_ + index(v)] = *topology.find_arc(v, next);
        total += factor_hops[i].length(to_i, NodeId{from_i});
      }
      lengths_[r * num_nodes_ + index(v)] = total;
    }
  }
}

}  // namespace quadrille
