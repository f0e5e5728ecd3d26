// Schedules for tests of programs and of the runtime, made without any of the house's algorithms.
#pragma once

#include <string_view>

#include "quadrille/base/random.h"
#include "quadrille/verify/schedule.h"

namespace quadrille::testing {

/// The schedule of a plan that must be good: throws the first finding of one that is not.
[[nodiscard]] Schedule judged(const Problem& problem, Plan plan);

/// A random schedule. Reductions are rough_reduction() in about every second case.
[[nodiscard]] Schedule random_schedule(const Problem& problem, uint64_t seed);

/// A random tree reduction with many transfers a step, in which nodes that are finished get random
/// contributions and copies from others: legal, useless, and full of partial results that are overwritten
/// while they are on their way. An allreduce then floods the result as copies.
[[nodiscard]] Plan rough_reduction(const Problem& problem, Rng& rng);

/// Small topologies of every sort, some with routers: rings, grids, trees, a switch, random graphs, one node.
[[nodiscard]] std::vector<Topology> small_topologies();

/// Ring reduce_scatter: block d starts behind d and gathers contributions on its way around.
[[nodiscard]] Schedule ring_reduce_scatter(uint32_t ranks, uint32_t pieces = 1);
/// Allreduce on a hypercube: neighbours along dimension k exchange all they have in step k.
[[nodiscard]] Schedule doubling_allreduce(uint32_t dimensions);
/// Allreduce through a switch: it adds everybody's block and sends the sum back as copies.
[[nodiscard]] Schedule switch_allreduce(uint32_t ranks);
/// Allreduce round a ring both ways, in half as many steps as there are ranks: what came from either side stays in
/// a slot of its own.
[[nodiscard]] Schedule both_ways_allreduce(uint32_t ranks, uint32_t pieces = 1);
/// Total exchange on a complete graph: everything in one step.
[[nodiscard]] Schedule direct_alltoall(uint32_t ranks, uint32_t pieces = 1);

}  // namespace quadrille::testing
