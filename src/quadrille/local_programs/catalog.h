// The local programs there are: which algorithms' nodes can run by themselves, and whether they serve a
// problem.
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/local/local_program.h"

namespace quadrille {

/// All local programs, sorted by name.
[[nodiscard]] const Catalog<LocalProgram>& local_program_catalog();

/// Whether the nodes serve the problem: the algorithm must apply, and the program must not refuse.
[[nodiscard]] Applicability serves(const LocalProgram& program, const Problem& problem);

}  // namespace quadrille
