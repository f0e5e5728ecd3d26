// Programs over the ranks of an MPI program: rank 0 lowers the schedule and checks what came out, once, and each rank gets
// its own part. (If all did it, a machine of 16 ranks would do the same work 16 times.)
#pragma once

#include "quadrille/program/rank_program.h"
#include "quadrille/runtime/job.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// Of the steps of the plan, and of what keeps them apart: ranks that agree on it run parts of one program.
[[nodiscard]] uint64_t digest_of_work(const Schedule& schedule, const JobOptions& job);

/// Collective: the program, of which every rank has its own part alone: lowered by itself where it can be
/// (program/lowering/lower_rank.h), else by rank 0, which sends each rank its part. All stop where it cannot be made, or does
/// too much to be counted.
[[nodiscard]] Program program_of_this_rank(const Schedule& schedule, const JobOptions& job);

}  // namespace quadrille
