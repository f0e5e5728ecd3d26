// `quadrille-mpi run --local`: nodes that decide for themselves, one MPI rank each, routers too.
//
// No rank makes a plan or keeps the network: each reads the words, makes its own node, and drops the rest.
// Rank 0 says which program it is.
#pragma once

#include "quadrille/options/run_options.h"

namespace quadrille {

/// Collective. The exit status of every rank.
[[nodiscard]] int run_nodes_everywhere(const RunOptions& options);

}  // namespace quadrille
