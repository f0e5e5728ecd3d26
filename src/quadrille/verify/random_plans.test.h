// Random good plans for tests of the judge, made without any of the house's algorithms.
#pragma once

#include "quadrille/base/random.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille::testing {

/// A connected random graph: a random tree and some more links, some with capacity 2, some nodes routers if
/// asked for.
[[nodiscard]] Topology random_topology(Rng& rng, uint32_t nodes, bool routers);

/// A circle through all nodes, which goes one way, and some more arcs; else the same.
[[nodiscard]] Topology random_directed_topology(Rng& rng, uint32_t nodes, bool routers);

/// A plan that obeys the problem's ports, links and routing, found by random choices; any collective, packet
/// or wormhole, full or half duplex. A limit on queues is not looked at.
[[nodiscard]] Plan random_plan(const Problem& problem, Rng& rng);

}  // namespace quadrille::testing
