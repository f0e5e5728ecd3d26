// Levels: trees, fat trees, Clos networks, boxes of accelerators: rows of nodes, the endpoints at the bottom.
#pragma once

#include <optional>

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// A complete tree, every node over the middle of what is below it; of more than 200 leaves the root in the middle of circles.
[[nodiscard]] NetworkLayout tree_layout(const Topology& topology, const TreeStructure& tree);

/// Of a network with routers: by hops from the nearest endpoint; within a row so that links are short. Where links within one row
/// lead past others, the row is bent upwards.
[[nodiscard]] NetworkLayout level_layout(const Topology& topology);

/// How many of the links between routers join routers that are equally far from the endpoints.
[[nodiscard]] double share_within_levels(const Topology& topology);

/// How many of the links join endpoints, which are all on one level.
[[nodiscard]] double share_of_endpoints(const Topology& topology);

/// Of a network whose endpoints hang on one router each: the routers as `routers` has them (a layout of the network of routers alone,
/// in their order), the endpoints around them, or below them where they stand in a row.
[[nodiscard]] NetworkLayout hosts_around(const Topology& topology, const NetworkLayout& routers,
                                         const Topology& fabric);

/// The network of the routers alone, in their order, where every endpoint hangs on one router and they are connected without endpoints.
[[nodiscard]] std::optional<Topology> fabric_of(const Topology& topology);

}  // namespace quadrille
