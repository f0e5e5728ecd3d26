// Merge steps: several steps of single packets, sent as one of messages of many.
//
// Where start-ups cost more than what goes over a link, a plan of many short steps is slow. One transfer after another, in
// the order of the plan, is put into the first step in which its link has room (so many packets for each unit of its
// capacity), in which both nodes have a port for it (all that goes over one link in a step is one message), and which
// comes after what it needs. So T steps become about T / rounds, or as many as the longest way has links, whatever is more:
//
//     merge_steps(problem, plan, 4)     // messages of up to four packets
//     merge_steps(problem, plan, 0)     // of any number: the fewest start-ups
//
// An exchange of contributions stays together in a step of its own. What goes over a link in a step is put into one transfer
// where it is treated alike; where it is not, and links are not shared, it goes in different steps.
#pragma once

#include <cstdint>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// `problem`: a machine that carries many blocks; the plan is one of transfers over one arc that the judge passes for the
/// same with single packets. What comes out it passes, too.
[[nodiscard]] Plan merge_steps(const Problem& problem, const Plan& plan, uint32_t rounds);

}  // namespace quadrille
