// Report: what a command found, line by line; printed as an aligned list for people, as JSON for programs, or as one row of
// figures for tables, whose columns are the command's own and the same in every run.
//
//     Report report;
//     report.add("steps", "32 (predicted 32)", 32);
//     report.print(console.out, as_json);
//     report.print(console.out, ReportForm{.csv = true, .columns = kColumns});
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/json/json.h"

namespace quadrille {

/// A column of the row that --csv prints, and the member that it shows: "finding", "findings/0/message".
struct CsvColumn {
  std::string_view name;
  std::string_view member;
};

/// What a command prints: neither is the list for people.
struct ReportForm {
  bool json = false;
  bool csv = false;
  std::span<const CsvColumn> columns{};

  [[nodiscard]] bool for_people() const { return !json && !csv; }
  /// Throws InputError where both are asked for.
  void require_one() const;
};

/// Lines of CSV: the names of the columns, and what an object has in them; a column without a member is empty.
[[nodiscard]] std::string csv_header(std::span<const CsvColumn> columns);
[[nodiscard]] std::string csv_row(std::span<const CsvColumn> columns, const Json& object);

class ArgumentParser;

/// Adds --json and --csv under one line of help.
void add_report_form(ArgumentParser& app, ReportForm& form, std::span<const CsvColumn> columns,
                     const char* help);

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
  /// Two lines: the names of the columns, and the figures.
  [[nodiscard]] std::string csv(std::span<const CsvColumn> columns) const;
  void print(std::ostream& out, bool as_json) const;
  void print(std::ostream& out, const ReportForm& form) const;

 private:
  struct Line {
    std::string label;
    std::string text;
  };

  std::vector<Line> lines_;
  Json json_ = Json::object();
};

}  // namespace quadrille
