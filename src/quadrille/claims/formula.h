// Formulas of the papers, as they stand in a row of the claims: "ceil((n^2-1)/4)". They are worked out here, by
// nothing that plans or judges, so that a row which runs over a range of sizes compares what the program finds
// with what the paper says, and not with figures of ours.
//
// There are whole numbers and variables, + - * / ^, parentheses, the comparisons = < <= > >=, and
//
//     floor(x) ceil(x) min(x,..) max(x,..) mod(x,m) choose(n,k)   of whole numbers, the last two
//     ceil_log(b,x)       the smallest whole e with b^e >= x
//     if(c,x,y)           x where the comparison c holds, y where it does not
//
// Everything is an exact fraction. A formula that cannot be read, or names a variable without a value, is a
// mistake in the table and an InternalError.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {

/// What the variables of a formula stand for.
using Sizes = std::map<std::string, Rational, std::less<>>;

[[nodiscard]] Rational value_of(std::string_view formula, const Sizes& sizes);

/// The text with every "{formula}" replaced by its value: "diameter {n-1}" -> "diameter 22".
[[nodiscard]] std::string filled_in(std::string_view text, const Sizes& sizes);

/// The sizes of "n = 2..40", "n = 3..9 by 2", "k = 2, 3, 5; h = 1..if(k=2,4,2); n = k^h": every combination, the
/// first variable slowest; a later one may depend on those before it, and one that has no value drops the
/// combination. One set without variables for "".
[[nodiscard]] std::vector<Sizes> sizes_over(std::string_view over);

}  // namespace quadrille
