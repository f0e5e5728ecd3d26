// Plans by level routes: members of a family, each with its number of levels (graphs/level_routes.h), which is its name.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// From so many, which some block needs, to twice as many, in which the busiest links have less to do; rising.
[[nodiscard]] std::vector<uint32_t> numbers_of_levels(uint32_t least);

/// Routes are found when somebody asks, and kept (packing/timed/kept_paths.h); not where only plans that cost less are asked for
/// (graphs/worth_making.h) and `may_be_worth` says no. `least`: levels that some block needs; of more than these some may have nothing
/// to send.
[[nodiscard]] PreparedPlan by_level_routes(const Problem& problem, uint32_t levels, uint32_t least,
                                           bool (*may_be_worth)(const Problem&, uint32_t levels),
                                           Effort effort);

}  // namespace quadrille
