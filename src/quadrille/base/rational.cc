#include "quadrille/base/rational.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

Int128 gcd(Int128 a, Int128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

[[noreturn]] void overflow() { throw InputError("the numbers of this problem do not fit 128 bits"); }

Int128 times(Int128 a, Int128 b) {
  Int128 out = 0;
  if (__builtin_mul_overflow(a, b, &out)) overflow();
  return out;
}

Int128 plus(Int128 a, Int128 b) {
  Int128 out = 0;
  if (__builtin_add_overflow(a, b, &out)) overflow();
  return out;
}

std::optional<Int128> parse_digits(std::string_view digits) {
  Int128 value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, Int128{10}, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, Int128{digit - '0'}, &value)) return std::nullopt;
  }
  return digits.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

Rational Rational::of(Int128 numerator, Int128 denominator) {
  QUADRILLE_CHECK(denominator != 0, "fraction with denominator 0");
  const Int128 divisor = std::max<Int128>(gcd(numerator, denominator), 1);
  Rational out;
  out.numerator_ = numerator / divisor;
  out.denominator_ = denominator / divisor;
  if (out.denominator_ < 0) {
    out.numerator_ = -out.numerator_;
    out.denominator_ = -out.denominator_;
  }
  return out;
}

int64_t Rational::ceil() const {
  Int128 quotient = numerator_ / denominator_;
  if (numerator_ % denominator_ > 0) ++quotient;
  if (quotient > std::numeric_limits<int64_t>::max() || quotient < std::numeric_limits<int64_t>::min())
    overflow();
  return static_cast<int64_t>(quotient);
}

double Rational::to_double() const {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

std::string Rational::to_string() const {
  return is_integer()
             ? quadrille::to_string(numerator_)
             : fmt::format("{}/{}", quadrille::to_string(numerator_), quadrille::to_string(denominator_));
}

Rational operator+(const Rational& a, const Rational& b) {
  return Rational::of(plus(times(a.numerator_, b.denominator_), times(b.numerator_, a.denominator_)),
                      times(a.denominator_, b.denominator_));
}

Rational operator-(const Rational& a, const Rational& b) { return a + Rational(-1) * b; }

Rational operator*(const Rational& a, const Rational& b) {
  // Crossing out first keeps the intermediate products as small as the result.
  const Int128 left = std::max<Int128>(gcd(a.numerator_, b.denominator_), 1);
  const Int128 right = std::max<Int128>(gcd(b.numerator_, a.denominator_), 1);
  return Rational::of(times(a.numerator_ / left, b.numerator_ / right),
                      times(a.denominator_ / right, b.denominator_ / left));
}

Rational operator/(const Rational& a, const Rational& b) {
  QUADRILLE_CHECK(b.numerator_ != 0, "division of a fraction by 0");
  return a * Rational::of(b.denominator_, b.numerator_);
}

// By whole parts, then by the reciprocals of what is left, as Euclid does: nothing grows, and any two
// fractions that fit can be compared.
std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  Int128 left = 0;
  Int128 right = 0;
  if (!__builtin_mul_overflow(a.numerator_, b.denominator_, &left) &&
      !__builtin_mul_overflow(b.numerator_, a.denominator_, &right)) {
    return left <=> right;
  }
  struct Part {
    Int128 whole;
    Int128 rest;  // from 0 below the denominator
  };
  const auto split = [](Int128 numerator, Int128 denominator) {
    Part part{numerator / denominator, numerator % denominator};
    if (part.rest < 0) part = {part.whole - 1, part.rest + denominator};
    return part;
  };
  Int128 an = a.numerator_;
  Int128 ad = a.denominator_;
  Int128 bn = b.numerator_;
  Int128 bd = b.denominator_;
  while (true) {
    const Part x = split(an, ad);
    const Part y = split(bn, bd);
    if (x.whole != y.whole) return x.whole <=> y.whole;
    if (x.rest == 0 || y.rest == 0) return x.rest <=> y.rest;
    // x.rest / ad < y.rest / bd where bd / y.rest < ad / x.rest.
    an = bd;
    bn = ad;
    ad = y.rest;
    bd = x.rest;
  }
}

std::optional<Rational> parse_rational(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t slash = text.find('/');
  const std::optional<Int128> numerator = parse_digits(text.substr(0, slash));
  const std::optional<Int128> denominator =
      slash == std::string_view::npos ? Int128{1} : parse_digits(text.substr(slash + 1));
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return Rational::of(negative ? -*numerator : *numerator, *denominator);
}

std::string to_string(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (negative ? -digit : digit));
  }
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace quadrille
