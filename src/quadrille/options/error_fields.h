// Errors for programs: what a message says, in fields. `--json` prints them (cli/conventions), and Python's InputError has them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/value_error.h"

namespace quadrille {

struct ErrorFields {
  /// A place in a text; lines and columns are counted from 1.
  struct Place {
    std::string source{};
    uint64_t line = 0;
    uint64_t column = 0;
  };

  std::string sentence{};                 ///< without place and excerpt
  std::optional<Place> place{};           ///< where the message points into a text
  std::string excerpt{};                  ///< the line that is wrong and the marks below it; may be empty
  std::optional<RefusedValue> refused{};  ///< the value that is refused, if it is one
};

/// What is given for an option, "--output" or, in short, "-o", or for an argument that has no dashes: nothing where it is not
/// given. `short_name` is the same as `name` where an option has none.
using GivenFor =
    std::function<std::optional<std::string>(std::string_view name, std::string_view short_name)>;

/// `value` is what is known to be refused. Where nothing is, a message that begins with the name of an option, or points into the
/// text of an argument, is about what is given for it.
[[nodiscard]] ErrorFields error_fields(const std::string& message, const std::optional<RefusedValue>& value,
                                       const GivenFor& given);

}  // namespace quadrille
