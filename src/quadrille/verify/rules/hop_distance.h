// HopDistance: how many hops the shortest path between two nodes takes, for rules that ask for few of very
// many pairs. The judge's own: it shares nothing with those who make plans.
//
//     HopDistance hops(torus);
//     hops.between(NodeId{0}, NodeId{5})
//
// Products are asked dimension by dimension; lines, rings and complete graphs are a subtraction; anything
// else is searched, one row a source. Rows are kept in a table of bounded size, where a new one takes the
// place of an old one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class HopDistance {
 public:
  /// Rows take at most `bytes`, and one row that is larger.
  HopDistance(const Topology& topology, size_t bytes);
  /// An even share of what the judge's threads together may take: a sixteenth of the machine's memory.
  explicit HopDistance(const Topology& topology);

  [[nodiscard]] uint32_t between(NodeId from, NodeId to);
  /// The same within one dimension of a product.
  [[nodiscard]] uint32_t along(size_t dimension, uint32_t from, uint32_t to);

  /// How many rows were searched: for tests of what is remembered.
  [[nodiscard]] uint64_t searches() const { return searches_; }

 private:
  enum class Shape : uint8_t { kLine, kRing, kComplete, kOther };
  struct Row {
    NodeId source = kNoNode;
    std::vector<uint32_t> hops;
  };
  // A factor, or the whole graph where it is no product.
  struct Part {
    Topology graph;
    Shape shape;
    std::vector<Row> rows{};  // of source s in place s mod their number
  };

  [[nodiscard]] static Shape shape_of(const Topology& graph);
  [[nodiscard]] uint32_t within(Part& part, uint32_t from, uint32_t to);
  const std::vector<uint32_t>& row(Part& part, uint32_t from);

  Topology topology_;
  std::vector<Part> parts_;
  uint64_t searches_ = 0;
};

}  // namespace quadrille
