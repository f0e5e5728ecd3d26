// Circles: rings, circulants, complete graphs, and networks that a rotation leaves as they are.
#pragma once

#include <optional>

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// All nodes on one circle in the order of their numbers, the first at the top, clockwise.
[[nodiscard]] NetworkLayout circle_layout(const Topology& topology);

/// Nodes on a few circles around one middle, so that turning the picture is a symmetry of the network: Petersen's graph as a star in a
/// pentagon. Nothing where no symmetry is found that turns every node round circles of one length, at most six of them; looked for
/// on up to 512 nodes.
[[nodiscard]] std::optional<NetworkLayout> rotation_layout(const Topology& topology);

}  // namespace quadrille
