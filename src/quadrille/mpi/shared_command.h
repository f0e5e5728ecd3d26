// Commands of `quadrille` whose work is shared among ranks: quadrille-mpi compare, faults, reproduce, simulate share what is
// independent in them (networks, cases, exhibits, seeds), plan and verify the blocks of the plan that is judged.
//
//     mpirun -n 16 quadrille-mpi faults alltoall "torus(16,16)" --links 1000 --csv
//
// Every rank runs the command as it stands, with the others as its crew; rank 0 prints and writes files, the same bytes as the
// program alone.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quadrille {

[[nodiscard]] std::span<const std::string_view> shared_commands();
[[nodiscard]] bool is_shared_command(std::span<const std::string> words);
/// Collective; returns the exit status.
[[nodiscard]] int run_shared_command(std::span<const std::string> words);

}  // namespace quadrille
