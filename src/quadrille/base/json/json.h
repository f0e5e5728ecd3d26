// Json: a value to be printed as JSON, members in the order in which they were set.
//
//     Json plan = Json::object();
//     plan.set("steps", 32).set("optimal", true);
//     plan.text();                                  // {"steps": 32, ...} over several lines
//
// Text that is not UTF-8 is repaired when printed; whole numbers beyond 64 bits become strings.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {

class Json {
 public:
  // Implicit, so that figures can be handed over as they are.
  // NOLINTBEGIN(google-explicit-constructor)
  Json() = default;
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  template <std::unsigned_integral Integer>
  Json(Integer value) : value_(uint64_t{value}) {}
  template <std::signed_integral Integer>
  Json(Integer value) : value_(int64_t{value}) {}
  Json(Int128 value);
  /// A fraction is a string, "32/15": a number would be rounded.
  Json(const Rational& value) : value_(value.to_string()) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] static Json object();
  [[nodiscard]] static Json array();

  /// Adds a member to an object; a key comes once.
  Json& set(std::string_view key, Json value);
  /// Adds an element to an array.
  Json& push(Json element);

  /// What is at the end of a path of keys and places in arrays, "findings/0/rule"; null where there is nothing.
  [[nodiscard]] const Json* at(std::string_view path) const;
  /// As a table has it: text without quotes, nothing for null, yes or no; a list or an object as text().
  [[nodiscard]] std::string cell() const;

  /// Indented, with a newline at the end.
  [[nodiscard]] std::string text() const;

 private:
  friend struct JsonPrinter;
  using Array = std::vector<Json>;
  // Side by side: a vector of pairs would need Json to be complete before clang lets the constructors above
  // be.
  struct Object {
    std::vector<std::string> keys;
    std::vector<Json> values;
  };

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Array, Object> value_;
};

}  // namespace quadrille
