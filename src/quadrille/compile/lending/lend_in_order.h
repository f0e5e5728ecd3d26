// Lending where order counts: for operators that do not commute, and where chunks come in order.
//
// Plans side by side or compacted do not keep order, and sums read backwards do not, either, so of the loans (loan.h) few are left:
// weaker machines, all pieces together, one piece after another, plans of harder tasks and, of pieces, those read backwards; and the
// sums: an allreduce is a reduce in order and any broadcast, a reduce_scatter a reduce and a scatter. What was made is looked at: a plan that is not in order is none.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/choice.h"

namespace quadrille {

/// Whether the problem's model asks for any order.
[[nodiscard]] bool asks_for_order(const Problem& problem);
/// Whether the plan keeps it.
[[nodiscard]] bool keeps_order(const Problem& problem, const Plan& plan);

/// What can be lent for a problem that asks for order, as lend_better() says.
[[nodiscard]] std::optional<Choice> lend_in_order(const Problem& problem, const Choice* own,
                                                  uint64_t block_bytes);

/// Whether `auto` chooses by time where order is asked for.
[[nodiscard]] bool is_in_order_by_time(const Problem& problem);
/// The choice, in the number of pieces, or in those that are `given`, that takes least time for a message of so many bytes; nothing
/// where nothing serves. The problem is one in one piece.
[[nodiscard]] std::optional<Choice> in_order_by_time(const Problem& problem, uint64_t message_bytes,
                                                     uint32_t given = 0);

}  // namespace quadrille
