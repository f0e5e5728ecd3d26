// Distance: with packet switching a block goes one hop a step, so the farthest one takes its distance.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "quadrille/bounds/bound.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/product_distances.h"

namespace quadrille::bounds {

extern const BoundCard distance;

namespace distance_parts {
namespace {

struct Pair {
  NodeId from{};
  NodeId to{};
  uint32_t hops = 0;
};

Pair farthest_from(const Topology& topology, NodeId from, std::span<const uint32_t> hops) {
  Pair best{from, from, 0};
  for (const NodeId v : topology.endpoints()) {
    if (hops[index(v)] > best.hops) best = {from, v, hops[index(v)]};
  }
  return best;
}

// The first endpoint of a tree that is farthest from one of the two ends of a longest path, or from both.
Pair farthest_in_tree(const Topology& topology) {
  const auto from = [&](NodeId v) { return farthest_from(topology, v, distances_from(topology, v)); };
  const NodeId one = from(topology.endpoints().front()).to;
  const std::vector<uint32_t> to_one = distances_from(topology, one);
  const Pair longest = farthest_from(topology, one, to_one);
  const std::vector<uint32_t> to_other = distances_from(topology, longest.to);
  for (const NodeId v : topology.endpoints()) {
    if (std::max(to_one[index(v)], to_other[index(v)]) == longest.hops) return from(v);
  }
  return longest;
}

Pair farthest_pair(const Topology& topology);

// Distances add up, and of the first coordinates that do it the product has the first nodes.
Pair farthest_in_product(const ProductStructure& product) {
  uint64_t from = 0;
  uint64_t to = 0;
  uint32_t hops = 0;
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const Pair pair = farthest_pair(product.factors[i]);
    from += uint64_t{product.strides[i]} * index(pair.from);
    to += uint64_t{product.strides[i]} * index(pair.to);
    hops += pair.hops;
  }
  return {id_at<NodeId>(from), id_at<NodeId>(to), hops};
}

// The farthest from the root, or to it.
Pair farthest_from_root(const Topology& topology, NodeId root, bool towards) {
  if (topology.is_outline()) {
    const ProductDistances all = product_distances(topology, root, towards);
    return {root, all.farthest, all.hops()};
  }
  return farthest_from(topology, root,
                       towards ? distances_to(topology, root) : distances_from(topology, root));
}

Pair farthest_pair(const Topology& topology) {
  if (topology.is_outline()) return farthest_in_product(*topology.product());
  if (topology.cayley() != nullptr && !topology.has_routers()) {
    return farthest_from(topology, NodeId{0}, distances_from(topology, NodeId{0}));
  }
  if (topology.product() != nullptr && !topology.has_routers())
    return farthest_in_product(*topology.product());
  if (!topology.is_directed() && uint64_t{topology.num_arcs()} + 2 == 2 * uint64_t{topology.num_nodes()})
    return farthest_in_tree(topology);
  const std::shared_ptr<const EndpointDistances> all = endpoint_distances(topology);
  const std::vector<uint32_t>& farthest = all->eccentricity;
  const auto first = std::max_element(farthest.begin(), farthest.end());
  const NodeId from = topology.endpoint(id_at<Rank>(first - farthest.begin()));
  return farthest_from(topology, from, distances_from(topology, from));
}

// Who has a block for somebody far away.
Pair farthest_counted(const Topology& topology, const Counts& counts) {
  Pair best{topology.endpoint(Rank{0}), topology.endpoint(Rank{0}), 0};
  const auto sends = [&](NodeId from) { return !counts.from(*topology.rank(from)).empty(); };
  for_each_distance_row(topology, sends, [&](NodeId from, std::span<const uint32_t> hops) {
    for (const Counts::Entry& e : counts.from(*topology.rank(from))) {
      const NodeId to = topology.endpoint(e.to);
      if (hops[index(to)] > best.hops) best = {from, to, hops[index(to)]};
    }
  });
  return best;
}

// The pair of endpoints, one of which has something that the other must hear of, that are farthest apart.
Pair farthest(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (const Counts* counts = problem.collective().counts()) return farthest_counted(topology, *counts);
  switch (problem.collective().kind()) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kScatter: {
      const NodeId root = topology.endpoint(*problem.collective().root());
      return farthest_from_root(topology, root, false);
    }
    case CollectiveKind::kGather:
    case CollectiveKind::kReduce: {
      const NodeId root = topology.endpoint(*problem.collective().root());
      const Pair backwards = farthest_from_root(topology, root, true);
      return {backwards.to, root, backwards.hops};
    }
    default:
      return farthest_pair(topology);
  }
}

bool towards_root(const Problem& problem) {
  return problem.collective().kind() == CollectiveKind::kGather ||
         problem.collective().kind() == CollectiveKind::kReduce;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  const Pair pair = farthest(problem);
  if (pair.hops == 0 && problem.collective().counts() != nullptr) return std::nullopt;
  return Bound{distance.name, Rational(pair.hops),
               fmt::format("{} is {} hop{} from {}", problem.topology().label(pair.to), pair.hops,
                           pair.hops == 1 ? "" : "s", problem.topology().label(pair.from)),
               BoundOn::kSteps, InformedWitness{towards_root(problem) ? pair.to : pair.from, pair.hops}};
}

}  // namespace
}  // namespace distance_parts

constinit const BoundCard distance = {
    .name = "distance",
    .summary = "hops between the two farthest endpoints that must communicate",
    .source = "a packet goes one hop a step",
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = distance_parts::evaluate,
};

}  // namespace quadrille::bounds
