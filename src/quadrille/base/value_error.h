// Bad input that is one value, where it is known what would have been allowed: beside the sentence for people, its parts for
// programs, which `--json` prints.
//
//     throw ValueError(fmt::format("--sync is '{}'; allowed are {}", wish, join(known)),
//                      {.of = "--sync", .given = wish, .allowed = {known.begin(), known.end()}});
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"

namespace quadrille {

struct RefusedValue {
  std::string of{};  ///< an option with its dashes, or what it is: "collective"; empty if that is not known
  std::string given{};
  std::vector<std::string> allowed{};  ///< words; what is a range says so in words, too
};

class ValueError : public InputError {
 public:
  ValueError(const std::string& message, RefusedValue value)
      : InputError(message), value_(std::move(value)) {}

  [[nodiscard]] const RefusedValue& value() const { return value_; }

 private:
  RefusedValue value_;
};

}  // namespace quadrille
