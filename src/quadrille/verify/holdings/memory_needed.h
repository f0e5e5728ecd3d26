// How much memory the judge may come to need to follow all blocks: known before any of it is taken.
#pragma once

#include <optional>
#include <string>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Bytes of this machine, for the largest plan. Much of it is only used as blocks arrive.
[[nodiscard]] Int128 holdings_bytes(const Problem& problem);
/// The same for so many of the blocks.
[[nodiscard]] Int128 holdings_bytes(const Problem& problem, uint64_t followed);

/// From now on the processes of so many machines share the blocks of every problem (a Crew, base/crew/crew.h), and each has its part
/// of them. Said once, before anything is judged.
void judge_on_machines(uint32_t machines);

/// Why no judge can follow the blocks of a problem here: there are more than can be numbered, or more than this machine
/// has memory for. Nothing where one can.
[[nodiscard]] std::optional<std::string> not_followed_here(const Problem& problem);

/// Throws InputError, with both numbers, where it is more than this machine has.
void require_memory_for_holdings(const Problem& problem);
/// The same for so many of the blocks.
void require_memory_for_holdings(const Problem& problem, uint64_t followed);

}  // namespace quadrille
