// Separations: nodes without which the rest falls apart, and links without which the network does.
//
// An articulation point lies on every path between the parts that it separates, a bridge on every path
// between its two sides: whatever goes from one part to another uses them, and no plan can help it. One
// depth-first search finds all (Hopcroft and Tarjan 1973); directions of arcs do not count.
//
//     Separations around(net);
//     for (const NodeId v : net.nodes())
//       for (const auto& part : around.parts(v)) .. part.endpoints, around.is_in(part, root) ..
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class Separations {
 public:
  explicit Separations(const Topology& topology);

  /// What is left of a connected part when a node is gone. It is the nodes that the search met from `first`
  /// up to before `last`, or all others but the node.
  struct Part {
    uint32_t first = 0;
    uint32_t last = 0;
    bool rest = false;
    NodeId without{};
    uint32_t endpoints = 0;
  };
  /// The parts into which the others fall without the node; one where it separates nothing.
  [[nodiscard]] std::vector<Part> parts(NodeId node) const;
  [[nodiscard]] bool is_in(const Part& part, NodeId node) const;

  /// Links that separate their two ends: each by the nodes on the far side of it.
  [[nodiscard]] const std::vector<Part>& bridges() const { return bridges_; }

 private:
  [[nodiscard]] Part below(NodeId child) const;

  std::vector<uint32_t> met_;                   // per node: when the search met it
  std::vector<uint32_t> last_;                  // and one more than the last below it
  std::vector<uint32_t> endpoints_met_;         // per time: endpoints met before
  std::vector<std::vector<NodeId>> separated_;  // per node: children below which nothing leads above it
  std::vector<Part> bridges_;
  uint32_t num_endpoints_ = 0;
};

}  // namespace quadrille
