// Report: what a command found, line by line; printed as an aligned list for people or as JSON for programs.
//
//     Report report;
//     report.add("steps", "32 (predicted 32)", 32);
//     report.print(console.out, as_json);
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/json/json.h"

namespace quadrille {

class Report {
 public:
  /// A line, and a member under the same name with '_' for blanks.
  void add(std::string_view label, std::string text, Json value);
  /// A line for people only.
  void add_text(std::string_view label, std::string text);
  /// A member for programs only.
  void add_json(std::string_view key, Json value);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] const Json& json() const { return json_; }
  void print(std::ostream& out, bool as_json) const;

 private:
  struct Line {
    std::string label;
    std::string text;
  };

  std::vector<Line> lines_;
  Json json_ = Json::object();
};

}  // namespace quadrille
