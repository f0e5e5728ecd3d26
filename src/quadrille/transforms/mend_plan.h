// Mend plan: a plan that outlives a fault, with as few changes as that takes.
//
//     const PlanDelta delta = mend_plan(file, {"link 0 1"});   // file holds a good plan
//     const PlanFile mended = with_delta(file, delta);         // for what is left; the judge has the last word
//
// Only what crossed a dead link or node is sent anew: by the shortest way that arrives in time over links that are idle then, else
// by any way that arrives soonest, behind the plan's end if it must. Of what is copied, those who lack it get it from whoever
// has it first, and what was sent on from them stays if it is not too early now. A reduction is mended backwards, an allreduce
// both ways (mending/mend_sums.h). Where moves
// of single packets come behind the plan's end, slots are exchanged with blocks that have other ways or times
// (slots/slot_exchange.h). Every other transfer keeps its step.
#pragma once

#include <string>
#include <vector>

#include "quadrille/schedule/delta/plan_delta.h"

namespace quadrille {

/// `base` holds a plan that the judge passes. Throws InputError for other reductions than allreduce with copies or slots, and models
/// in which queues are limited, or an order is kept; and where the faults kill the root or cut somebody
/// off.
[[nodiscard]] PlanDelta mend_plan(const PlanFile& base, std::vector<std::string> faults);

}  // namespace quadrille
