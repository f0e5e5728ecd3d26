// A torus and its turn: of d equal sides (x1, .., xd) becomes (-xd, x1, .., x(d-1)), and so of every group of equal sides.
//
// Turned again and again, one direction becomes every other of its group, after 2d turns (d where sides are 2) the first one again.
// So a plan in which all nodes do the same for one class of the chunks burdens one direction more than another; with as many
// classes as there are different turns, each turned once more than the one before, all links of a group carry the same. Where all
// sides are equal these are all links; where they are not, a step is as long as those of the busiest group need.
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
#include <span>
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

  /// Nothing where the network is not known to be a torus. Rings and hypercubes are.
  [[nodiscard]] static std::optional<TorusClasses> of(const Topology& topology);

  [[nodiscard]] uint32_t num_nodes() const { return num_nodes_; }
  [[nodiscard]] const std::vector<uint32_t>& sides() const { return sides_; }
  /// All sides are equal.
  [[nodiscard]] bool is_even() const { return scale_.size() == 1; }
  /// What a step in each dimension adds to a node's number: tori with the same sides and strides are the same.
  [[nodiscard]] const std::vector<uint32_t>& strides() const { return strides_; }
  [[nodiscard]] uint32_t classes() const { return classes_; }
  /// A node moved by a displacement, which is a node, too: where node 0 would come to.
  [[nodiscard]] uint32_t moved(uint32_t node, uint32_t displacement) const;
  /// The displacement back.
  [[nodiscard]] uint32_t back(uint32_t displacement) const;
  /// After k turns.
  [[nodiscard]] uint32_t turned(uint32_t displacement, uint32_t turns) const;
  [[nodiscard]] const Way& way(uint32_t displacement) const { return ways_[displacement]; }
  /// What a link of the busiest group carries if in every class a chunk goes along each of these displacements: where all
  /// sides are equal, all hops.
  [[nodiscard]] uint64_t load(std::span<const uint32_t> displacements) const;
  /// Groups of equal sides, hops of a displacement in one, and how many of a link's chunks each of these is.
  [[nodiscard]] size_t num_groups() const { return scale_.size(); }
  [[nodiscard]] uint32_t length_in(uint32_t displacement, size_t group) const;
  [[nodiscard]] uint32_t scale(size_t group) const { return scale_[group]; }
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
    return node / strides_[dimension] % sides_[dimension];
  }

  uint32_t num_nodes_ = 1;
  uint32_t classes_ = 1;
  uint32_t period_ = 1;  // of turns
  std::vector<uint32_t> sides_;
  std::vector<uint32_t> strides_;
  // Per dimension: its group, and its place in that; per group: its dimensions.
  std::vector<size_t> group_;
  std::vector<size_t> place_;
  std::vector<std::vector<size_t>> dimensions_;
  std::vector<uint32_t> scale_;
  std::vector<uint32_t> directions_;
  std::vector<Way> ways_;
  std::vector<uint32_t> by_length_;
  // Of each dimension, up and down, what its direction becomes after 0, 1, .. turns: a number in directions_.
  std::vector<size_t> turned_direction_;
  std::vector<ArcId> arcs_;     // node by node, in the order of directions_
  std::vector<uint32_t> next_;  // where they lead
};

}  // namespace quadrille
