// Figures that a test states for a paper, where a falsehood can be planted: who checks the tests of the claims
// (tests/claims/planted_falsehoods.py) asks for it in the environment, and the test must then fail.
//
//     EXPECT_EQ(steps, stated(n * n / 8));
//
// QUADRILLE_PLANTED_FALSEHOOD is "list", to have the lines that state something printed, or the line where
// a falsehood is to be planted.
#pragma once

#include <string>
#include <type_traits>

namespace quadrille {

/// Whether the figure stated at a line is to be false.
[[nodiscard]] bool planted_at(int line);

/// The value; or, where a falsehood is planted in the line of the call, another one: a number larger by one, the
/// opposite of a yes or no, a text with a question mark, a list without its first element.
template <class T>
[[nodiscard]] T stated(T value, int line = __builtin_LINE()) {
  if (!planted_at(line)) return value;
  if constexpr (std::is_same_v<T, bool>) {
    return !value;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value + "?";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value + 1);
  } else {  // a list
    if (value.empty()) {
      value.insert(value.end(), typename T::value_type{});
    } else {
      value.erase(value.begin());
    }
    return value;
  }
}
[[nodiscard]] inline std::string stated(const char* value, int line = __builtin_LINE()) {
  return stated(std::string(value), line);
}

}  // namespace quadrille
