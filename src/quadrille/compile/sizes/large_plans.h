// Large plans: what `plan` chooses for messages of certain sizes on networks that are too large for everybody to be asked for
// every size.
//
// There the cards that predict in a moment are not all: a choice also makes a plan of few steps and judges it, or looks at some
// that can be lent (lending/large_by_time.h). A table of sizes asks for that choice, so that it never says otherwise than
// the plan that is made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/compile/by_size.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// For each size, which rise, the plan that decide() names; nothing where it names none, or none whose figures are known, and
/// on small networks. Where two sizes have the same plan, those between have it, too: times are lines. The problem is
/// one in one piece.
[[nodiscard]] std::vector<std::optional<SizedPlan>> chosen_at_large(const Problem& problem,
                                                                    std::span<const uint64_t> sizes);

}  // namespace quadrille
