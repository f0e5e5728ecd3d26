// Through ports: a plan that uses all links of a node at once, on nodes that have fewer ports.
//
// Each of its steps is parted into as many as the busiest node needs: large messages go into the first step in which both
// their ends have a port left, and where that takes more steps than it has to, an edge colouring parts them (Koenig's
// theorem: as many colours as the most messages at a node).
#pragma once

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The same with all ports, where packets are switched and some node has more links than ports; else as it is.
[[nodiscard]] Problem with_all_links(const Problem& problem);

/// What a card whose `prepare` is for all links has for the problem. Plans that have to be parted are measured, which takes
/// as much as to make them.
[[nodiscard]] Preparation through_ports(const Problem& problem, Preparation (*prepare)(const Problem&));

}  // namespace quadrille
