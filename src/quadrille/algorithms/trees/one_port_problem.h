// What the broadcast algorithms of one port, or a few, ask of a problem.
#pragma once

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// One send port, packet switching, and no routers: every node is informed, and informs one neighbour at a
/// time.
[[nodiscard]] Applicability fits_one_port_broadcast(const Problem& problem);

/// The same with any number of send ports but all.
[[nodiscard]] Applicability fits_broadcast_of_few_ports(const Problem& problem);

[[nodiscard]] NodeId broadcast_root(const Problem& problem);

}  // namespace quadrille
