// Errors for programs: what a message says, in fields.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "quadrille/base/value_error.h"

namespace quadrille {

/// An error as one JSON object: "error" and "status", what the process returns. Where the message points into a text, too:
/// "source", "line", "column" and "excerpt". Where a value is refused: "argument", which it is of, and "given"; and "allowed",
/// a list, where it is known. `words` are those of the command line: a message that begins with the name of an option is about
/// what is given for it there.
[[nodiscard]] std::string error_as_json(const std::string& message, int status,
                                        std::span<const std::string> words,
                                        const std::optional<RefusedValue>& value);

}  // namespace quadrille
