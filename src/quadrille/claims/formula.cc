#include "quadrille/claims/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace formula_parts {
namespace {

Int128 floor_of(const Rational& x) {
  const Int128 quotient = x.numerator() / x.denominator();
  return quotient * x.denominator() > x.numerator() ? quotient - 1 : quotient;
}

Rational whole(Int128 value) { return Rational::of(value, 1); }

// One walk over a formula, from left to right; every function reads what its name says.
class Reader {
 public:
  Reader(std::string_view text, const Sizes& sizes) : text_(text), sizes_(sizes) {}

  Rational all() {
    const Rational value = sum();
    blanks();
    QUADRILLE_CHECK(at_ == text_.size(), where());
    return value;
  }

 private:
  [[nodiscard]] std::string where() const { return fmt::format("formula '{}', place {}", text_, at_); }
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (next() == ' ') ++at_;
  }
  bool took(std::string_view word) {
    blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void need(std::string_view word) { QUADRILLE_CHECK(took(word), where()); }

  Rational sum() {
    Rational value = product();
    while (true) {
      if (took("+")) {
        value = value + product();
      } else if (took("-")) {
        value = value - product();
      } else {
        return value;
      }
    }
  }

  Rational product() {
    Rational value = power();
    while (true) {
      if (took("*")) {
        value = value * power();
      } else if (took("/")) {
        const Rational by = power();
        QUADRILLE_CHECK(by != Rational(0), where());
        value = value / by;
      } else {
        return value;
      }
    }
  }

  Rational power() {
    if (took("-")) return Rational(0) - power();
    const Rational base = atom();
    if (!took("^")) return base;
    const Rational exponent = power();
    QUADRILLE_CHECK(exponent.is_integer(), where());
    Rational value = 1;
    const bool inverse = exponent < Rational(0);
    for (Int128 e = inverse ? -exponent.numerator() : exponent.numerator(); e > 0; --e) value = value * base;
    return inverse ? Rational(1) / value : value;
  }

  Rational atom() {
    blanks();
    if (took("(")) {
      const Rational value = sum();
      need(")");
      return value;
    }
    const size_t begin = at_;
    if (is_digit(next())) {
      while (is_digit(next())) ++at_;
      return *parse_rational(text_.substr(begin, at_ - begin));
    }
    while (is_letter(next()) || (at_ > begin && is_digit(next()))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    QUADRILLE_CHECK(!name.empty(), where());
    if (next() == '(') return call(name);
    const auto found = sizes_.find(name);
    QUADRILLE_CHECK(found != sizes_.end(), where());
    return found->second;
  }

  bool comparison() {
    const Rational left = sum();
    if (took("<=")) return left <= sum();
    if (took(">=")) return left >= sum();
    if (took("<")) return left < sum();
    if (took(">")) return left > sum();
    need("=");
    return left == sum();
  }

  Rational call(std::string_view name) {
    need("(");
    if (name == "if") {
      const bool holds = comparison();
      need(",");
      // Both sides are worked out; what is only true of one of them must not divide by zero in the other.
      const Rational yes = sum();
      need(",");
      const Rational no = sum();
      need(")");
      return holds ? yes : no;
    }
    std::vector<Rational> given = {sum()};
    while (took(",")) given.push_back(sum());
    need(")");
    if (name == "min") return std::ranges::min(given);
    if (name == "max") return std::ranges::max(given);
    if (name == "floor" && given.size() == 1) return whole(floor_of(given[0]));
    if (name == "ceil" && given.size() == 1) return Rational(0) - whole(floor_of(Rational(0) - given[0]));
    QUADRILLE_CHECK(given.size() == 2, where());
    if (name == "mod") return given[0] - given[1] * whole(floor_of(given[0] / given[1]));
    if (name == "choose") return choose(given[0], given[1]);
    QUADRILLE_CHECK(name == "ceil_log" && given[0] > Rational(1), where());
    int64_t exponent = 0;
    for (Rational reached = 1; reached < given[1]; reached = reached * given[0]) ++exponent;
    return exponent;
  }

  static Rational choose(const Rational& n, const Rational& k) {
    if (k < Rational(0) || k > n) return 0;
    Rational value = 1;
    for (Rational i = 1; i <= k; i = i + Rational(1)) value = value * (n - k + i) / i;
    return value;
  }

  std::string_view text_;
  const Sizes& sizes_;
  size_t at_ = 0;
};

// The text cut at a character that stands in no parentheses.
std::vector<std::string_view> cut(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '(') ++depth;
    if (at < text.size() && text[at] == ')') --depth;
    if (at < text.size() && (depth > 0 || text[at] != separator)) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
}

// "2..40", "3..9 by 2", "k^h".
void add_values(std::string_view part, const Sizes& sizes, std::vector<Rational>& values) {
  const size_t dots = part.find("..");
  if (dots == std::string_view::npos) {
    values.push_back(value_of(part, sizes));
    return;
  }
  const size_t by = part.find(" by ");
  const Rational step = by == std::string_view::npos ? Rational(1) : value_of(part.substr(by + 4), sizes);
  const Rational last =
      value_of(part.substr(dots + 2, by == std::string_view::npos ? by : by - dots - 2), sizes);
  QUADRILLE_CHECK(step > Rational(0), fmt::format("'{}'", part));
  for (Rational value = value_of(part.substr(0, dots), sizes); value <= last; value = value + step)
    values.push_back(value);
}

}  // namespace
}  // namespace formula_parts

Rational value_of(std::string_view formula, const Sizes& sizes) {
  return formula_parts::Reader(formula, sizes).all();
}

std::string filled_in(std::string_view text, const Sizes& sizes) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = text.find('}', open);
    QUADRILLE_CHECK(close != std::string_view::npos, fmt::format("'{}' lacks a closing brace", text));
    out += value_of(text.substr(open + 1, close - open - 1), sizes).to_string();
    text.remove_prefix(close + 1);
  }
  return out;
}

std::vector<Sizes> sizes_over(std::string_view over) {
  std::vector<Sizes> all(1);
  if (over.empty()) return all;
  for (const std::string_view part : formula_parts::cut(over, ';')) {
    const size_t equals = part.find('=');
    QUADRILLE_CHECK(equals != std::string_view::npos, fmt::format("'{}' names no variable", part));
    std::string_view name = part.substr(0, equals);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    std::vector<Sizes> larger;
    for (const Sizes& sizes : all) {
      std::vector<Rational> values;
      for (const std::string_view each : formula_parts::cut(part.substr(equals + 1), ','))
        formula_parts::add_values(each, sizes, values);
      for (const Rational& value : values) {
        larger.push_back(sizes);
        larger.back().insert_or_assign(std::string(name), value);
      }
    }
    all = std::move(larger);
  }
  return all;
}

}  // namespace quadrille
