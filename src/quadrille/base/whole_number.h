// Whole numbers on a command line: readers of options take "-3" for a very large unsigned number if nobody
// looks.
#pragma once

#include <string>

namespace quadrille {

/// What is wrong with `text` as a number that counts something, or "" when it has digits only and fits 64
/// bits.
[[nodiscard]] std::string whole_number_error(const std::string& text);
/// The same where there must be at least one.
[[nodiscard]] std::string positive_number_error(const std::string& text);

}  // namespace quadrille
