// Entered parts: what copies, or sums, pay for links into parts of a network that nobody enters for less.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// At least, by all first pieces together, where a transfer over an arc pays `price[arc]`. For what is copied, and for sums; 0 where
/// that would take too long to say.
[[nodiscard]] Int128 paid_into_parts(const Problem& problem, const std::vector<uint64_t>& price);

}  // namespace quadrille
