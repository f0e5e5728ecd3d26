// Dimension order: the routes of a product of rings, lines and complete graphs, one coordinate after the other, and the
// classes of virtual channels that keep worms on rings from waiting in a circle.
//
// Round a ring channels wait for each other in a circle unless the circle is cut somewhere (Dally and Seitz 1987). The
// cut is the link between the last node and the first: a worm that still has to cross it takes low channels, one that
// crosses or has crossed it high ones. A worm that never crosses it takes any when it enters the ring, and stays high
// once it is high. docs/simulation.md has the numbering of the channels that proves it.
//
// Half-way round an even ring both ways are equally long: who stands on an odd coordinate goes up, the others down, so
// that in a total exchange all links carry the same where four divides the side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Which virtual channels of a link a message may take. Half of them are low, the others high; of a single one
/// nothing is asked.
enum class VcClass : uint8_t {
  kAny,
  kLow,
  kHigh,
  kStay,  ///< high if it came by a high one, else any
};

enum class FactorShape : uint8_t { kRing, kLine, kComplete };

class DimensionOrder {
 public:
  /// Nothing for networks of another kind. A ring of two is a line.
  [[nodiscard]] static std::optional<DimensionOrder> of(const Topology& network);

  /// Appends the arcs from one node to the other.
  void route(NodeId from, NodeId to, std::vector<ArcId>& path) const;
  /// The class of each arc of a path; false, and all kAny, where the path does not follow dimension order.
  [[nodiscard]] bool classes(std::span<const ArcId> path, std::vector<VcClass>& out) const;

  [[nodiscard]] size_t dimensions() const { return factors_.size(); }
  [[nodiscard]] uint32_t side(size_t dimension) const { return factors_[dimension].side; }
  [[nodiscard]] FactorShape shape(size_t dimension) const { return factors_[dimension].shape; }
  [[nodiscard]] uint32_t coordinate(NodeId node, size_t dimension) const {
    const Factor& f = factors_[dimension];
    return static_cast<uint32_t>(index(node)) / f.stride % f.side;
  }

 private:
  struct Factor {
    FactorShape shape = FactorShape::kLine;
    uint32_t side = 1;
    uint32_t stride = 1;
  };
  explicit DimensionOrder(Topology network) : network_(std::move(network)) {}
  [[nodiscard]] size_t dimension_of(ArcId arc) const;

  Topology network_;
  std::vector<Factor> factors_{};
};

}  // namespace quadrille
