// Loans by time on large networks: where asking every lender (TimedLending) would take minutes, the one that most often is
// worth it.
//
// Cards of many packets, and of worms, trade rounds for start-ups. Large messages want few rounds, and there a schedule of single
// packets that meets its bound is hard to beat: it serves machines where a step may carry more, too.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan of fewest steps with single packets, for `problem` as it stands (in its pieces), where messages are blocks and
/// it may take less time than `known`; nothing where it does not, or where nobody can tell. An alltoall is not
/// lent so: its balanced paths take work that is not done for a guess.
[[nodiscard]] std::optional<Choice> packets_by_time(const Problem& problem, uint64_t message_bytes,
                                                    double known);

/// What the plan that is chosen by its steps takes at least, in the pieces of the problem. Every step has a round.
[[nodiscard]] double least_time_as_it_is(const Problem& problem, uint64_t message_bytes);

}  // namespace quadrille
