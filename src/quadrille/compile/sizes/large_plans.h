// Large plans: what `plan` chooses for messages of certain sizes on networks that are too large for everybody to be asked for
// every size.
//
// There the cards that predict in a moment are not all: a choice also makes a plan of few steps and judges it, or looks at some
// that can be lent (lending/large_by_time.h). A table of sizes asks for that choice at both of its ends, so that there it never
// says otherwise than the plan that is made; between them it looks at what can be lent alone, which knows one size from the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan that decide() names for one size, by its figures; nothing where nothing serves it.
[[nodiscard]] std::optional<SizedPlan> decided_plan(const Problem& problem, uint64_t bytes);

/// For each size, which rise, a plan that takes less than `plans`, those that cards predict, if one is known: at both ends what
/// decide() names, between them one of these or what can be lent. Nothing on small networks. The problem is one in one piece.
[[nodiscard]] std::vector<std::optional<SizedPlan>> chosen_at_large(const Problem& problem,
                                                                    std::span<const uint64_t> sizes,
                                                                    std::span<const SizedPlan> plans,
                                                                    const LeastTime& least, unsigned threads);

}  // namespace quadrille
