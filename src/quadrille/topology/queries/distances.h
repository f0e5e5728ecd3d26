// Distances in hops: breadth-first search from a node, and what follows from all of them.
//
//     const std::vector<uint32_t> hops = distances_from(net, NodeId{0});
//     const DistanceSummary all = distance_summary(net);   // diameter, statuses, averages
//
// The status of a node is the sum of its distances to all endpoints. A Cayley graph looks the same from
// everywhere, so that one search tells all. Topologies are connected: every distance is finite.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// hops[v]: length of a shortest path from `from` to v.
[[nodiscard]] std::vector<uint32_t> distances_from(const Topology& topology, NodeId from);
/// hops[v]: length of a shortest path from v to `to`; differs from the above in directed graphs only.
[[nodiscard]] std::vector<uint32_t> distances_to(const Topology& topology, NodeId to);

/// Calls `row` with every endpoint and its distances to all nodes, one search at a time in the same memory.
void for_each_distance_row(const Topology& topology,
                           const std::function<void(NodeId, std::span<const uint32_t>)>& row);
/// Of those endpoints alone that are `wanted`.
void for_each_distance_row(const Topology& topology, const std::function<bool(NodeId)>& wanted,
                           const std::function<void(NodeId, std::span<const uint32_t>)>& row);

/// Sum of the distances from a node to all endpoints.
[[nodiscard]] uint64_t status(const Topology& topology, NodeId node);
/// Largest distance from a node to an endpoint.
[[nodiscard]] uint32_t eccentricity(const Topology& topology, NodeId node);
/// Both of every endpoint, by rank: searches from 64 at a time, each a bit of a word. What was found last is kept.
struct EndpointDistances {
  std::vector<uint64_t> status;
  std::vector<uint32_t> eccentricity;
};
[[nodiscard]] std::shared_ptr<const EndpointDistances> endpoint_distances(const Topology& topology);

/// The rank from which, and to which, the ways from and to all others are shortest together; of equals the first.
[[nodiscard]] Rank middle_rank(const Topology& topology);

/// Between endpoints.
struct DistanceSummary {
  uint32_t diameter = 0;
  uint64_t min_status = 0;
  uint64_t max_status = 0;
  Rational average_status{};    ///< over the endpoints
  Rational average_distance{};  ///< over ordered pairs of different endpoints; 0 when there are none
};

/// A product without routers is summed up from its factors. Elsewhere one search per endpoint; a single one
/// in a Cayley graph.
[[nodiscard]] DistanceSummary distance_summary(const Topology& topology);
/// The same by searches, whether or not it is a product.
[[nodiscard]] DistanceSummary searched_distance_summary(const Topology& topology);

}  // namespace quadrille
