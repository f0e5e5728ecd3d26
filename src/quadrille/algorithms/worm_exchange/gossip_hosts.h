// Hosts of a gossip: where every endpoint hangs on one link to a switch, what it has goes there first and what it will
// hear comes from there at last. And in how few steps a gossip can be at all.
#pragma once

#include <cstddef>
#include <vector>

#include "quadrille/algorithms/worm_exchange/gossip_worm.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Hosts tell their switches, as many at once as these hear; nothing where an endpoint has more links than one.
[[nodiscard]] GossipSteps gossip_from_hosts(const Problem& problem);
/// And the switches tell them at the end.
[[nodiscard]] GossipSteps gossip_to_hosts(const Problem& problem, const GossipSteps& from_hosts);

/// No gossip takes fewer steps.
[[nodiscard]] size_t least_gossip_steps(const Problem& problem);
/// The same where ranks are at these nodes, and nothing comes to an endpoint that is none of them.
[[nodiscard]] size_t least_gossip_steps(const Problem& problem, std::vector<NodeId> places);

}  // namespace quadrille
