// Exact fractions, for bounds and averages: a bound is never rounded before it is compared.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// A fraction in lowest terms with a positive denominator, over 128 bits. Products of quantities that fit 63
/// bits are exact; anything that would not fit throws an InputError instead of wrapping.
class Rational {
 public:
  constexpr Rational() = default;
  /// Implicit: whole numbers are fractions.
  Rational(int64_t value) : numerator_(value) {}  // NOLINT(google-explicit-constructor)
  /// numerator / denominator; the denominator is not zero.
  static Rational of(Int128 numerator, Int128 denominator);

  [[nodiscard]] Int128 numerator() const { return numerator_; }
  [[nodiscard]] Int128 denominator() const { return denominator_; }
  /// The smallest integer that is not less; throws InputError when it does not fit 63 bits.
  [[nodiscard]] int64_t ceil() const;
  [[nodiscard]] double to_double() const;
  [[nodiscard]] bool is_integer() const { return denominator_ == 1; }
  /// "7", "15/2", "-1/3".
  [[nodiscard]] std::string to_string() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// b is not zero.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) = default;
  /// Exact for any two fractions.
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
};

/// "7", "15/2", "-1/3"; nothing for anything else, and for numbers that do not fit 128 bits.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);

/// Decimal digits of a 128-bit integer.
[[nodiscard]] std::string to_string(Int128 value);

}  // namespace quadrille
