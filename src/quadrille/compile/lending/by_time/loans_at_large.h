// Which loans a large network is worth being asked for, and what is told of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of more nodes only a look at the same collective on a weaker machine, at the reversed one, and at streams, and, where a
/// reduce_scatter's blocks are no more than a few million, at the two halves of an allreduce.
inline constexpr uint32_t kMostNodesOfSums = 1024;

/// Those that may be worth it: `one` is in one piece, and its message of so many bytes is to go in so many pieces, or any (0); sums of
/// parts are for as many pieces as there are ranks.
[[nodiscard]] std::vector<Loan> loans_at_large(const Problem& one, uint64_t bytes, uint32_t pieces);

/// A broadcast, a reduce or an allreduce.
[[nodiscard]] bool moves_vector(CollectiveKind kind);

/// Whether a message of so many bytes takes no longer than some start-ups.
[[nodiscard]] bool is_short_vector(const Problem& problem, uint64_t bytes);

/// The loan of the same kind, name and lenders for another number of pieces.
[[nodiscard]] std::optional<Loan> same_loan_at_large(const Problem& ours, const Loan& known);

/// A sum that goes whole to one node, and from there to all.
[[nodiscard]] bool is_up_and_down(const Loan& loan);
/// A vector is dealt out, and then all gather it.
[[nodiscard]] bool scatters_first(const Loan& loan);
/// Whether who lends does other collectives, or the same one in parts; else it is the same one, on a weaker machine or the other way round.
[[nodiscard]] bool lends_parts(const Loan& loan);

}  // namespace quadrille
