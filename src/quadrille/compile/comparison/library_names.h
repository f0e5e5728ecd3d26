// Names by which libraries know algorithms: MPI libraries choose "rabenseifner" where the collective is known from the call.
//
//     card_by_library_name("Segmented_Ring", CollectiveKind::kAllreduce)    // allreduce_ring
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/collective/collective.h"

namespace quadrille {

/// Of a collective, or of the first that has one; null where none is called so. Capitals, '-' and "MPI_" do not count.
[[nodiscard]] const Algorithm* card_by_library_name(std::string_view given,
                                                    std::optional<CollectiveKind> collective = {});
/// An algorithm as it is called here, whoever's name of it is given: "ring" of an allreduce is allreduce_ring. A member stays, and what
/// is no name of one card is left as it is.
[[nodiscard]] std::string as_called_here(std::string_view given, CollectiveKind collective);
/// In small letters, '_' for '-', without "MPI_".
[[nodiscard]] std::string plain_library_name(std::string_view given);

}  // namespace quadrille
