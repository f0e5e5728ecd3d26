// Spread by routers: how soon all can have heard of one where endpoints have no links among themselves.
//
// Then an endpoint hears from a router alone, and a router sends to so many in a step. However many endpoints know already, they can
// only tell routers, of which there are few: 16 accelerators behind four switches are informed eight a step, with two ports, and not
// three times as many from step to step.
#pragma once

#include <cstdint>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Steps, at the least, until all endpoints have heard of this one (backwards: until it has heard of all), where no node sends more
/// than so many messages a step; 0 where endpoints are linked, or there is a single one.
[[nodiscard]] uint32_t steps_by_routers(const Topology& topology, NodeId from, uint64_t a_step,
                                        bool backwards);

}  // namespace quadrille
