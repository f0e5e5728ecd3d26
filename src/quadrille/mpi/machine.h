// What the ranks run on, as all of them come to know it.
#pragma once

#include <string>

#include "quadrille/runtime/job.h"

namespace quadrille {

/// "Open MPI v4.1.4".
[[nodiscard]] std::string mpi_library();

/// Collective: all stop if any machine has less memory than the ranks on it need; `needed` is this rank's.
void require_memory_everywhere(double needed, const JobOptions& options);

}  // namespace quadrille
