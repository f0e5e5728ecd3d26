// Checks of our own reasoning. A failure is a bug in Quadrille, never the user's mistake (that is an
// InputError).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace quadrille {

/// A broken invariant of ours. The program reports it with a request to send it to us, and exits with
/// status 3.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws the InternalError of a failed check; `values` says what was seen.
[[noreturn]] void check_failed(std::string_view condition, std::string_view values, const char* file,
                               int line);

}  // namespace quadrille

/// QUADRILLE_CHECK(a < b, fmt::format("a={} b={}", a, b)): the second argument is only computed on failure.
#define QUADRILLE_CHECK(condition, values)                                 \
  do {                                                                     \
    if (!(condition)) [[unlikely]] {                                       \
      ::quadrille::check_failed(#condition, (values), __FILE__, __LINE__); \
    }                                                                      \
  } while (false)
