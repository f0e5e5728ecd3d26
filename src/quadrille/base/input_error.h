// The one kind of error that is the user's: it names what was given, what is allowed, and where.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace quadrille {

/// Bad input. Thrown where the input is first understood, caught once in main, which exits with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A mistake inside a text: the message becomes
///
///     SOURCE:LINE:COLUMN: MESSAGE
///       the line of the text
///           ^~~
///
/// `offset` is the first wrong byte (it may be text.size(): "something is missing at the end"), `length` how
/// many bytes are wrong. Long lines are cut around the mistake, and bytes that do not print are shown as '?'.
[[nodiscard]] InputError input_error_at(std::string_view source, std::string_view text, size_t offset,
                                        size_t length, std::string_view message);

}  // namespace quadrille
