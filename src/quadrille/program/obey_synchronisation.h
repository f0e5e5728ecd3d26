// Programs that keep their steps apart as a plan says: with its barriers, and its signals as null messages.
//
//     Program program = lower(schedule);
//     obey(program, stated, schedule.problem().topology());
//     check_program(program, 1);       // still nobody waits in a circle, and every null message is received
//
// Between two steps a rank that is through with the first sends its signals, meets the others at a barrier,
// and waits for the signals that it needs; synchronisation_events.h says in which order. Signals go to later
// steps, and what is sent is waited for in the end alone, so that no wait is cyclic that was not before. Where
// messages travel through routers for several steps, a rank is through with a step when what ends in it has
// ended.
#pragma once

#include "quadrille/program/rank_program.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// `program` has the actions of each rank by steps, as lower() and lower_slices() make them. Throws InputError
/// for a signal from or to a router. Priorities are left to the network.
void obey(Program& program, const PlanSynchronisation& stated, const Topology& topology);

}  // namespace quadrille
