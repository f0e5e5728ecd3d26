// Greedy packets: personalised blocks along shortest paths, packed into steps one after another.
//
// In every step each arc may send on a block that waits for it, the one with the longest way left first.
// Where ports or links are short, the arcs are served in the order of the longest way left, with the tie
// going round from step to step. Any graph, any ports, any capacities, half duplex too; every block is on its
// way or waits, and the number of steps is known only in the end.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// For collectives whose blocks move from an origin to a destination (scatter, gather, alltoall).
void greedy_packets(const Problem& problem, StepSink& sink);

/// Steps that it takes at least for an alltoall or alltoallv: what the ways of all blocks load. Known long before the
/// plan is made.
[[nodiscard]] uint64_t greedy_packets_at_least(const Problem& problem);
/// The same from distances alone, sooner known still: as if all arcs shared what the ways of an alltoall load.
[[nodiscard]] uint64_t shortest_ways_at_least(const Problem& problem);

}  // namespace quadrille
