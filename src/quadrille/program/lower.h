// Lowering: a schedule becomes what each rank does.
//
//     const Program program = lower(schedule);
//     for (const Action& action : program.ranks[3].actions) ...
//
// For each step in which a rank has something to do, its program starts the receives and sends that leave
// their senders in that step, waits for all that arrive in it, and then does the local reductions of the
// step. Blocks that one rank sends another in the same step make one message; neighbouring slots make one
// run.
//
// Why no wait is cyclic: what is waited for in step t was started by both sides in a step s <= t, before any
// of the waits of step t. So the waits of step t depend only on the starts up to step t, which depend only on
// the waits before step t. (Through routers s < t happens; a send is then still under way while others
// complete.)
#pragma once

#include "quadrille/program/rank_program.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// The programs of all ranks. The same schedule gives the same programs. Throws InputError for a schedule
/// that is too large for 32-bit numbers.
[[nodiscard]] Program lower(const Schedule& schedule);

}  // namespace quadrille
