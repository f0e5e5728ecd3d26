// Rounds of a plan: what its steps take one after another where the blocks that share an arc are added up.
#pragma once

#include <cstdint>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Over all steps, blocks over the busiest arc for each unit of its capacity.
[[nodiscard]] uint64_t rounds_of(const Topology& topology, const Plan& plan);

/// Of steps of single packets, however they are merged into messages of many: what the busiest arc, and the busiest port, has to
/// carry for each unit of capacity.
[[nodiscard]] uint64_t rounds_of_merged_at_least(const Problem& problem, const Plan& packets);

}  // namespace quadrille
