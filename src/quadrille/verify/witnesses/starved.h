// Starved routers: links out of routers that cannot be sold in the first steps of an exchange, and links into them in the last ones.
//
// Of blocks that move, each begins at an endpoint and ends at one. A block that a router sends in step t has come to it before, and
// it has last left an endpoint over a link to a router; so before step t a router has been sent what its links bring in t - 1 steps,
// and all routers together have what links from endpoints to routers carry in t - 1. In step t each router sells no more than its
// dearest links for that many blocks, and all of them no more than the dearest for those that there are. The same backwards in time,
// links turned round: a block that enters a router in one of the last steps has yet to enter an endpoint.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// What weights of links (per arc) prove with that, in full duplex: blocks pay `paid`, a step could sell `sold`, which is not 0. At
/// least paid / sold.
[[nodiscard]] Rational proved_with_starved_routers(const Topology& net, const std::vector<uint64_t>& weights,
                                                   Int128 paid, Int128 sold);

}  // namespace quadrille
