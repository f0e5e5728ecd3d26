// Even routes: a path for every pair of nodes, such that no port and no link has much more to do than it must.
//
// Prices of nodes and links rise steeply with what they have to do (Garg and Koenemann 2007). The cheapest paths to one destination are
// a tree, and some of the sources, by chance, take to it; destination by destination, and round by round ever fewer of them. So a round
// costs a search for each destination and not for each pair. Paths may be a few hops longer than they must: nodes at the rim of a mesh
// have little to do, and near the optimum they are worth a detour.
// Where the network has mirror images (graphs/mirrors.h), destinations are the first nodes of their orbits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/mirrors.h"
#include "quadrille/base/random.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class EvenRoutes {
 public:
  /// On networks of up to so many nodes a search for each pair takes a moment, and comes nearer (alltoall_matchings,
  /// alltoall_balanced_paths); there a few rounds are enough.
  static constexpr uint32_t kFewNodes = 128;

  EvenRoutes(const Topology& topology, const Mirrors& mirrors, const OrbitLinks& links, Ports send,
             Ports receive);

  /// By destination, an orbit's first node, and source.
  [[nodiscard]] size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const ArcId> path(size_t i) const {
    return std::span(hops_).subspan(begin_[i], length_[i]);
  }
  /// Of all paths: each path() is a part of them.
  [[nodiscard]] std::span<const ArcId> hops() const { return hops_; }
  [[nodiscard]] NodeId source(size_t i) const {
    return NodeId{static_cast<uint32_t>(i % topology_.num_nodes())};
  }
  [[nodiscard]] NodeId destination(size_t i) const {
    return mirrors_.first(static_cast<uint32_t>(i / topology_.num_nodes()));
  }
  [[nodiscard]] size_t num_hops() const { return hops_.size(); }
  /// Blocks over each link of the orbits, and so over each of its images.
  [[nodiscard]] const std::vector<uint64_t>& loads() const { return over_; }
  /// Steps that the busiest port, or link, needs for its work.
  [[nodiscard]] uint64_t steps_at_least() const;

 private:
  // Of the tree to a destination: a node's link, and where that leads.
  struct Hop {
    ArcId arc = kNoArc;
    NodeId to = kNoNode;
  };
  void route(uint32_t destination, uint64_t round);
  void set_prices();
  void grow_tree(NodeId destination, uint64_t a_hop);
  template <typename Key, typename Make, typename Read>
  void grow_tree_by(std::vector<Key>& heap, NodeId destination, uint64_t a_hop, Make key_of, Read read);
  void add(std::span<const ArcId> hops, bool more);  // of the beginning of a path

  const Topology& topology_;
  const Mirrors& mirrors_;
  const OrbitLinks& links_;
  uint64_t send_ports_;
  uint64_t receive_ports_;
  std::vector<uint32_t> into_begin_{};  // per node
  std::vector<ArcId> into_{};
  std::vector<size_t> begin_{};  // per path: where there is room for it
  std::vector<uint16_t> length_{};
  std::vector<ArcId> hops_{};
  std::vector<uint64_t> over_;     // per link
  std::vector<uint64_t> through_;  // per orbit: blocks that it passes on
  double scale_ = 1;               // hops of an orbit, on shortest paths
  double steepness_ = 1;
  // Scratch.
  std::vector<uint64_t> price_of_link_{};
  std::vector<uint64_t> price_of_orbit_{};
  std::vector<uint64_t> cost_{};
  std::vector<Hop> next_{};
  std::vector<std::pair<uint64_t, NodeId>> heap_{};
  std::vector<uint64_t> keys_{};
  std::vector<NodeId> sources_{};
  std::vector<ArcId> path_{};
  Rng rng_{1};
};

}  // namespace quadrille
