// Lending where order counts: for operators that do not commute, and where chunks come in order.
//
// Plans read backwards, side by side or compacted do not keep order, so of the loans (loan.h) few are left: weaker machines,
// all pieces together, one piece after another, and the sums: an allreduce is a reduce in order and any broadcast, a
// reduce_scatter a reduce and a scatter. What was made is looked at: a plan that is not in order is none.
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

}  // namespace quadrille
