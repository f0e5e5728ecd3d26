// Lending: the best plan that can be lent for a problem.
//
// Plans for weaker machines, harder collectives and reversed networks serve a problem, too (loan.h), and loans
// compose. Which composition is best is a question of shortest ways, not of trying all: a problem's answer is
// the best of its own cards and of its loans, each from an answer; no question is asked twice; and a lender
// whose own lower bound is no better than what is there already is not asked.
//
// What may be borrowed from whom never goes round. A question has three strengths: `own` asks the cards alone;
// `basic` adds weaker machines and what is made from the bottom up (a scatter along a broadcast, an allgather by
// gather and broadcast); `full` adds parts of harder collectives. Half-duplex links are asked last, and only for the
// question itself (`top`), as they ask full ones for all that these have. A problem and its reversed one are one
// question, so that neither can ever be worse than the other.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/choice.h"

namespace quadrille {

/// What can be lent for the problem and costs less than `own`, the best of its own cards, if one serves it;
/// nothing where there is no such thing. `fewest_steps` is a lower bound of the problem's. `asks_names`: whether names that were found
/// for the network were not asked yet.
[[nodiscard]] std::optional<Choice> lend_better(const Problem& problem, const Choice* own,
                                                uint64_t block_bytes, uint64_t fewest_steps, bool asks_names);

/// The best plan of the same network under the names that were found for it (loans_by_name).
struct LentByName {
  std::optional<Choice> best{};
  bool settles = false;  ///< nobody else need be asked
};
[[nodiscard]] LentByName lend_by_name(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps);

}  // namespace quadrille
