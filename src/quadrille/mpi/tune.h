// quadrille-mpi tune: which plans are faster on this machine than what the MPI library does itself.
//
//     mpirun -n 16 quadrille-mpi tune all "torus(4,4)" -o torus_4_4
//
// Rank 0 makes the best few plans for each collective by the cost model, with constants that were measured here; all ranks
// measure them in turns with the library's own collectives, and the folder gets the index that the MPI library and the
// shim obey. Measuring is plain C (quadrille_mpi/tune.h), so that what is measured is what will run.
#pragma once

#include <span>
#include <string>

namespace quadrille {

[[nodiscard]] bool is_tune(std::span<const std::string> words);

/// Collective; the words behind "tune". Returns what every rank returns to the shell.
[[nodiscard]] int tune_everywhere(std::span<const std::string> words);

}  // namespace quadrille
