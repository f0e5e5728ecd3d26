// Channel dependencies: whether worms on a network with a routing can ever wait for each other in a circle.
//
// A worm that holds a channel may wait for the next one of its route: that is a dependency. Where the dependencies have no
// circle there is no deadlock, whatever is sent and however long worms are (Dally and Seitz 1987). Two witnesses: numbers
// that rise along every dependency, given by a formula and looked at one dependency after the other; and, knowing
// nothing of the formula, channels taken away one after the other that nobody waits in front of, until none is left.
//
//     const DependencyCheck check = check_dependencies(parse_topology("torus(8,8)"), Routes::kDimensionOrder, 2);
//     check.acyclic; check.circle;
//
// Dependencies are computed as they are asked for and not stored where the routing is a rule: a torus of a million nodes
// has 65 million of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/sim/routing_table.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

enum class Routes : uint8_t {
  kDimensionOrder,  ///< dimension_order.h; with two channels or more in two classes
  kUpDown,    ///< any path that never goes away from the root before it goes towards it: any network whose
              ///< links have both directions, with links and nodes that failed
  kTable,     ///< routing_table.h, with channels in two classes as it says
  kShortest,  ///< to each destination the shortest path, of the next hops the one with the lowest number
};

struct Channel {
  ArcId arc = kNoArc;
  uint32_t vc_class = 0;
};

struct DependencyCheck {
  uint64_t channels = 0;
  uint64_t dependencies = 0;
  uint32_t classes = 1;  ///< of channels of a link
  bool acyclic = false;
  /// The formula by which numbers rise along every dependency; empty if there is none that does.
  std::string numbering{};
  std::vector<Channel> circle{};  ///< each waits for the next
  bool is_shortest = false;       ///< no other circle has fewer channels
};

/// Throws InputError where the routing does not fit the network, or is a table that is too large. `table` is only for kTable.
[[nodiscard]] DependencyCheck check_dependencies(const Topology& network, Routes routes, uint32_t vcs,
                                                 const RoutingTable* table = nullptr);

}  // namespace quadrille
