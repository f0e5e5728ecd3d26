// Lockstep: all nodes of a local program, tick by tick, and what they send as the steps of a plan.
//
//     Plan plan;
//     const LockstepFigures figures = run_in_lockstep(program, problem, plan);
//
// The runner sees the network only to turn neighbours into arcs. It holds the nodes to what their interface
// says: they speak to whom hears them, over links that exist, of blocks that they hold, and come to an end.
// A node that breaks this is a bug of ours (InternalError). Nothing of it is a proof of the plan: that is the
// judge's.
#pragma once

#include <cstdint>

#include "quadrille/local/local_program.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

struct LockstepFigures {
  uint64_t ticks = 0;
  uint64_t messages = 0;     ///< letters with blocks
  uint64_t words = 0;        ///< letters without: null messages
  uint64_t table_bytes = 0;  ///< of the node that knows most
};

/// Only for problems that the program serves.
LockstepFigures run_in_lockstep(const LocalProgram& program, const Problem& problem, StepSink& sink);

/// The blocks that a rank has first, except its own to itself.
[[nodiscard]] std::vector<LocalMessage> own_messages(const Collective& collective, Rank rank);

}  // namespace quadrille
