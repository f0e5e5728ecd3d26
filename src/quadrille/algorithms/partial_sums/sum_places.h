// Sum places: of the nodes that a group of automorphisms (free_groups.h) takes to each other, one that stands for all; and what
// leads from these and to them.
//
// A formula on a plan that looks the same from all images of a place is about the places alone: what comes to a place from
// elsewhere is the image of what one of the places sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/algorithms/partial_sums/free_groups.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class SumPlaces {
 public:
  // An arc from one of the places.
  struct Way {
    ArcId arc;
    NodeId from;
    NodeId to;
  };
  // What comes to a place: the image of a way under the element of that number.
  struct Coming {
    size_t way;
    size_t element;
  };

  SumPlaces(const Topology& topology, const FreeGroup& group);

  [[nodiscard]] size_t size() const { return places_.size(); }
  [[nodiscard]] NodeId node(size_t place) const { return places_[place]; }
  [[nodiscard]] size_t place_of(NodeId v) const { return place_of_[index(v)]; }
  /// The element that takes its place to the node.
  [[nodiscard]] size_t element_of(NodeId v) const { return element_of_[index(v)]; }
  /// The rank that the element takes to that rank.
  [[nodiscard]] size_t back(size_t element, size_t rank) const { return back_[element * ranks_ + rank]; }

  [[nodiscard]] const std::vector<Way>& ways() const { return ways_; }
  [[nodiscard]] const std::vector<size_t>& from(size_t place) const { return from_[place]; }  ///< ways
  [[nodiscard]] const std::vector<Coming>& into(size_t place) const { return into_[place]; }
  /// Links on the way from a rank to a node.
  [[nodiscard]] uint32_t hops(size_t rank, NodeId v) const { return hops_[rank * nodes_ + index(v)]; }

 private:
  size_t ranks_;
  size_t nodes_;
  std::vector<NodeId> places_;
  std::vector<size_t> place_of_;    // per node
  std::vector<size_t> element_of_;  // per node
  std::vector<uint32_t> back_;      // per element and rank
  std::vector<Way> ways_;
  std::vector<std::vector<size_t>> from_;  // per place
  std::vector<std::vector<Coming>> into_;  // per place
  std::vector<uint32_t> hops_;             // per rank and node
};

}  // namespace quadrille
