// Good enough: the number of steps below which a search for a problem need not go (base/search_limits.h).
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// What SearchWishes::of says of a problem whose bound is known.
[[nodiscard]] std::string name_for_searches(const Problem& problem);

/// Steps that are good enough where a search knows that `least` are needed.
[[nodiscard]] uint64_t good_enough_steps(const Problem& problem, uint64_t least);

/// A search has a plan of so many steps: whoever watches is told, if this is the problem that is watched.
void tell_found(const Problem& problem, uint64_t steps);
/// It has paths of which the busiest link needs so many steps, and no plan yet.
void tell_paths_found(const Problem& problem, uint64_t steps);

}  // namespace quadrille
