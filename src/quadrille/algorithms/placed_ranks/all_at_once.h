// All at once: every rank sends what it has for each other one in the same step. One start-up, and with balanced ways few
// rounds, where paths may share links and nobody counts messages; other networks have no room for it.
#pragma once

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// Shared switching, ports for N-1 messages where so many are sent or received (by the root alone, where one has or gets
/// all), and no more messages than ways can be balanced for in a moment.
[[nodiscard]] Applicability all_at_once_apply(const Problem& problem);
/// The same of however many messages, if somebody balances their ways; where blocks are counted a rank has one for each that it sends to.
[[nodiscard]] Applicability ways_at_once_apply(const Problem& problem);
/// The first where a message has a part of the pieces, and not one.
[[nodiscard]] Applicability parts_at_once_apply(const Problem& problem);

}  // namespace quadrille
