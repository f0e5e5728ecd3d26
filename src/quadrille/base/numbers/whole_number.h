// Whole numbers on a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

/// The number that `text` is: digits only, 64 bits at most.
[[nodiscard]] std::optional<uint64_t> whole_number(std::string_view text);

/// What is wrong with `text` as a number from `least` to `most`, or "".
[[nodiscard]] std::string whole_number_error(std::string_view text, uint64_t least, uint64_t most);

}  // namespace quadrille
