// A torus with equal sides, and its turn: (x1, .., xd) becomes (-xd, x1, .., x(d-1)).
//
// Turned again and again, one direction becomes every other, after 2d turns (d where sides are 2) the first one again. So
// a plan in which all nodes do the same for one class of the chunks burdens one direction more than another; with 2d
// classes, each turned once more than the one before, all links carry the same.
//
//     const TorusClasses torus = *TorusClasses::of(net);
//     torus.turned(displacement, k);             // as class k moves
//     torus.path(from, displacement, k, path);   // a shortest way, turned like everything else
//
// Displacements that turn into each other share their ways: to way(displacement) there is one way, turned, so that a node
// that sends to all of them in all classes sends no more than 2d messages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class TorusClasses {
 public:
  /// Of all displacements that turn into each other the least, and how often it is turned.
  struct Way {
    uint32_t displacement = UINT32_MAX;
    uint32_t turns = 0;
  };

  /// Nothing where the network is not known to be such a torus. Rings and hypercubes are.
  [[nodiscard]] static std::optional<TorusClasses> of(const Topology& topology);

  [[nodiscard]] uint32_t num_nodes() const { return num_nodes_; }
  [[nodiscard]] uint32_t side() const { return side_; }
  /// What a step in each dimension adds to a node's number: tori with the same side and strides are the same.
  [[nodiscard]] const std::vector<uint32_t>& strides() const { return strides_; }
  [[nodiscard]] uint32_t classes() const { return classes_; }
  /// A node moved by a displacement, which is a node, too: where node 0 would come to.
  [[nodiscard]] uint32_t moved(uint32_t node, uint32_t displacement) const;
  /// The displacement back.
  [[nodiscard]] uint32_t back(uint32_t displacement) const;
  /// After k turns.
  [[nodiscard]] uint32_t turned(uint32_t displacement, uint32_t turns) const;
  [[nodiscard]] const Way& way(uint32_t displacement) const { return ways_[displacement]; }
  /// Hops.
  [[nodiscard]] uint32_t length(uint32_t displacement) const;
  /// All nodes, the nearest to 0 first.
  [[nodiscard]] const std::vector<uint32_t>& by_length() const { return by_length_; }
  /// Of one hop each.
  [[nodiscard]] const std::vector<uint32_t>& directions() const { return directions_; }

  /// Fills `path` with a shortest way from a node by turned(displacement, turns): the displacement's way, dimension by
  /// dimension, turned.
  void path(uint32_t from, uint32_t displacement, uint32_t turns, std::vector<ArcId>& path) const;

 private:
  TorusClasses() = default;
  [[nodiscard]] static std::optional<TorusClasses> made_of(const Topology& topology);

  [[nodiscard]] uint32_t coordinate(uint32_t node, size_t dimension) const {
    return node / strides_[dimension] % side_;
  }

  uint32_t num_nodes_ = 1;
  uint32_t side_ = 1;
  uint32_t classes_ = 1;
  std::vector<uint32_t> strides_;
  std::vector<uint32_t> directions_;
  std::vector<Way> ways_;
  std::vector<uint32_t> by_length_;
  // Of each dimension, up and down, what its direction becomes after 0, 1, .. turns: a number in directions_.
  std::vector<size_t> turned_direction_;
  std::vector<ArcId> arcs_;     // node by node, in the order of directions_
  std::vector<uint32_t> next_;  // where they lead
};

}  // namespace quadrille
