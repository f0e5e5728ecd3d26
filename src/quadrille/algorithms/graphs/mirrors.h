// Mirrors: images of a network in itself that leave no node in its place.
//
// Sides of an even number of nodes that are alike from both ends give one each: of lines, and of products of them. What is done at one
// node of an orbit is done at all of them at once, and nobody is in anybody's way, so that a plan has to be found for one node of each
// alone: a quarter of the nodes of a mesh of even sides.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class Mirrors {
 public:
  /// Of odd sides, and of a network that is neither a product nor alike from both ends of its numbers, the identity alone.
  explicit Mirrors(const Topology& topology);

  /// Where each node is in each image; the identity comes first.
  [[nodiscard]] const std::vector<std::vector<uint32_t>>& images() const { return images_; }
  /// The same of arcs.
  [[nodiscard]] std::vector<std::vector<ArcId>> images_of_arcs(const Topology& topology) const;

  [[nodiscard]] uint32_t num_orbits() const { return static_cast<uint32_t>(first_.size()); }
  /// Of a node; orbits are numbered by their first nodes.
  [[nodiscard]] uint32_t orbit(NodeId node) const { return orbit_[index(node)]; }
  [[nodiscard]] NodeId first(uint32_t orbit) const { return NodeId{first_[orbit]}; }

 private:
  void add_all(const Topology& topology);
  void add(const Topology& topology, const std::vector<uint32_t>& image);

  std::vector<std::vector<uint32_t>> images_;
  std::vector<uint32_t> orbit_;
  std::vector<uint32_t> first_;
};

/// The network of orbits: its links are those of the network, of which all images are one.
struct OrbitLinks {
  OrbitLinks(const Topology& topology, const Mirrors& mirrors);

  std::vector<uint32_t> link_of{};  ///< per arc
  std::vector<uint32_t> tail{};     ///< per link: an orbit
  std::vector<uint32_t> head{};
  std::vector<uint32_t> capacity{};
};

}  // namespace quadrille
