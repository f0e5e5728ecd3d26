// A hypercube that spans a network: its nodes have labels of d bits, and those whose labels differ in one bit are neighbours.
//
// Hypercubes have one, rings of four, complete graphs of 2^k nodes, and products of such. Of a product each factor is looked
// at alone, so that an outline will do; a graph that is no product is searched, up to kMostSearched nodes.
//
//     const SpanningHypercube cube = *SpanningHypercube::of(parse_topology("torus(4,4)"));
//     cube.dimensions();              // 4
//     cube.node(cube.label(v) ^ 1)    // a neighbour of v
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class SpanningHypercube {
 public:
  /// Of a graph that is neither a product nor complete.
  static constexpr uint32_t kMostSearched = 256;

  /// Nothing where none is found: in networks with routers, and where there are fewer than two nodes.
  [[nodiscard]] static std::optional<SpanningHypercube> of(const Topology& topology);

  [[nodiscard]] uint32_t dimensions() const { return dimensions_; }
  [[nodiscard]] uint32_t label(NodeId node) const;
  [[nodiscard]] NodeId node(uint32_t label) const;

 private:
  struct Factor {
    uint32_t stride = 1;
    uint32_t bits = 0;
    std::vector<uint32_t> label_of;
    std::vector<uint32_t> with_label;
  };

  std::vector<Factor> factors_;  // the first one's bits are the highest
  uint32_t dimensions_ = 0;
};

}  // namespace quadrille
