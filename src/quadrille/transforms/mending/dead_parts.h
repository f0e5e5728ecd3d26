// What of a network is dead, arcs of dead nodes included: asked for at every hop.
#pragma once

#include <span>
#include <vector>

#include "quadrille/topology/faults/faults.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class DeadParts {
 public:
  DeadParts(const Topology& topology, const Faults& faults);

  [[nodiscard]] bool has(NodeId node) const { return nodes_[index(node)] != 0; }
  [[nodiscard]] bool has(ArcId arc) const { return arcs_[index(arc)] != 0; }
  /// Whether a path has anything dead on it.
  [[nodiscard]] bool on(std::span<const ArcId> path) const;
  [[nodiscard]] const std::vector<char>& arcs() const { return arcs_; }

 private:
  std::vector<char> nodes_;
  std::vector<char> arcs_;
};

}  // namespace quadrille
