// Pieces in turn: where every rank has a message for every other one, or a root for each, some of the pieces of every block go first,
// by a plan for so many, and then the next ones in the same way.
//
//     in_turn(X)      one piece after another
//     in_turn_4(X)    four of them at a time; what is left goes last, by the same algorithm
//
// Links have the same to do for each piece, so this takes hardly more than a plan that knows all of them, where that fills the
// links: an exchange of 64 pieces is as near its bound as one of a single piece, and a scatter of 64 in parts of eight is a step in
// a thousand above the shortest, found in a hundredth of the time. Not for vectors, whose pieces follow each other down a tree.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/choice.h"
#include "quadrille/compile/lending/loan.h"

namespace quadrille {

/// `at_once` pieces at a time, at least one and fewer than there are. Nothing where one message carries all of them.
[[nodiscard]] std::optional<Loan> in_turn_loan(const Problem& problem, uint32_t at_once);
/// "in_turn", or "in_turn_4".
[[nodiscard]] std::optional<Loan> find_in_turn_loan(const Problem& problem, std::string_view name);

/// How many pieces go at a time where all of them at once would be searched for long; 0 where they need not go in turn.
/// `fewest_steps`: a lower bound.
[[nodiscard]] uint32_t pieces_at_once(const Problem& problem, uint64_t fewest_steps);

/// As many at a time, by whatever is best for so many; nothing where pieces_at_once() says so.
[[nodiscard]] std::optional<Choice> lend_in_turn(const Problem& problem, uint64_t block_bytes,
                                                 uint64_t fewest_steps);

}  // namespace quadrille
