// Faults: links and nodes of a network that are out of order.
//
//     Faults faults;
//     add_fault(net, "link (0,0) (0,1)", faults);       // both directions
//     add_fault(net, "node (2,2)", faults);
//     const FaultyNetwork left = without(net, faults, "...");
//
// What is left is a network of its own: nodes keep their labels, but not their numbers (node_numbers.h knows those),
// and endpoints are ranked anew. Its structure, if it had one, is gone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/topology/faults/node_numbers.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct Faults {
  std::vector<NodeId> nodes;
  std::vector<ArcId> arcs;  ///< a dead link is two of them

  [[nodiscard]] bool empty() const { return nodes.empty() && arcs.empty(); }
};

/// Adds "link A B" (both directions), "arc A B" (one) or "node A"; nodes by number or label. A spec means the numbers of the
/// topology that stands in it, whatever that lacks. Throws InputError for other words, and where the network has no such node
/// or link.
void add_fault(const Topology& whole, std::string_view text, Faults& faults,
               Numbers numbers = Numbers::kHere);
/// "node (0,0)" and "link (0,0) (0,1)": as add_fault() reads them with Numbers::kWhole. The arc's reverse, if there is one, belongs to the
/// link.
[[nodiscard]] std::string node_fault(const Topology& whole, NodeId node);
[[nodiscard]] std::string link_fault(const Topology& whole, ArcId arc);
/// "without(torus(4,4);"node 0","node 5")" of torus(4,4), and of what "node 0" has left of it: faults of faults are faults.
[[nodiscard]] std::string name_without(std::string_view whole, std::span<const std::string> faults);

struct FaultyNetwork {
  Topology topology;
  std::vector<NodeId> original;  ///< of each node, its number before
  std::vector<NodeId>
      cut_off;  ///< nodes, not dead, that were left out since not all others reach them and back; by
                ///< their numbers before
};

/// What the faults leave: of the nodes the largest number of endpoints that all reach each other. Throws InputError where no
/// endpoint is left.
[[nodiscard]] FaultyNetwork without(const Topology& whole, const Faults& faults, const std::string& name);

}  // namespace quadrille
