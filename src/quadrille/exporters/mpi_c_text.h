// The parts of the C file that `--to mpi-c` writes which are the same for every plan: what plays the table of a rank, and
// the function that has the signature of MPI's. mpi_c.cc writes the tables and puts the parts together.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/collective/collective.h"

namespace quadrille {

/// What MPI calls a collective, in small letters behind "MPI_": "bcast"; "" for one that it has not with this meaning.
[[nodiscard]] std::string_view mpi_name_of(CollectiveKind kind);

/// Whether all ranks play one table, each with ranks that it names otherwise, or each its own. Before the player.
[[nodiscard]] std::string_view mpi_c_places(bool all_alike);
/// What plays a table; needs one of the next two.
[[nodiscard]] std::string_view mpi_c_player();
/// Packed blocks, for collectives that move or copy.
[[nodiscard]] std::string_view mpi_c_moving();
/// For reductions: how two slots become one, whether in the order of ranks, and then the rest.
[[nodiscard]] std::string_view mpi_c_order(bool in_order);
[[nodiscard]] std::string_view mpi_c_combining();
/// The function itself.
[[nodiscard]] std::string mpi_c_function(CollectiveKind kind);

}  // namespace quadrille
