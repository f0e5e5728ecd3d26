// Settings: at which parameters a table or a figure is computed.
//
// A card names its parameters, with what the paper takes and the range in which its formulas and algorithms hold;
// the user may give others. A value outside is refused with the range; so is a parameter that the card has not.
//
//     Settings settings(kParameters, {{"size", {4, 5, 6}}});
//     for (uint64_t d : settings.whole("size")) ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

struct Parameter {
  std::string_view name{};            ///< "size": also the option, --size
  std::string_view meaning{};         ///< "d: the torus is 2^d x 2^d"
  std::span<const double> printed{};  ///< what is taken unless the user gives others: the paper's
  double least = 0;
  double most = 0;
  bool whole = true;
  uint32_t multiple = 1;  ///< of a whole number: what it is a multiple of
  /// Whether a value in the range is one of those that `meaning` describes; null: each of them.
  bool (*allows)(double) = nullptr;
  /// A number of ports: 0 is all.
  bool is_ports = false;
};

/// Values that a user gave for a parameter.
struct Given {
  std::string name{};
  std::vector<double> values{};
};

class Settings {
 public:
  /// `who`: how errors call the card. Throws InputError for a name that is no parameter, and for values out of range.
  Settings(std::string_view who, std::span<const Parameter> parameters, std::span<const Given> given);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::span<const double> values(std::string_view name) const;
  [[nodiscard]] std::vector<uint64_t> whole(std::string_view name) const;
  /// Whether the user gave none: then what the paper prints stands beside.
  [[nodiscard]] bool as_printed() const { return as_printed_; }

 private:
  struct Value {
    std::string_view name;
    std::vector<double> values;
  };
  std::vector<Value> values_{};
  bool as_printed_ = true;
};

/// "4 to 20", "one of 1 to 6 or all".
[[nodiscard]] std::string range_of(const Parameter& parameter);
/// "4", "2500", "0.5", "all".
[[nodiscard]] std::string value_text(const Parameter& parameter, double value);

/// What follows an option: "4", "4,5,6", "4..9", "all" for ports. Throws InputError naming the option.
[[nodiscard]] std::vector<double> parse_values(std::string_view option, std::string_view text);

}  // namespace quadrille
