#include "quadrille/cli/report/report.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {

void Report::add(std::string_view label, std::string text, Json value) {
  add_text(label, std::move(text));
  std::string key(label);
  std::replace(key.begin(), key.end(), ' ', '_');
  std::replace(key.begin(), key.end(), '-', '_');
  add_json(key, std::move(value));
}

void Report::add_text(std::string_view label, std::string text) {
  lines_.push_back({std::string(label), std::move(text)});
}

void Report::add_json(std::string_view key, Json value) { json_.set(key, std::move(value)); }

std::string Report::text() const {
  Table table({"", ""});
  for (const Line& line : lines_) table.row({line.label, line.text});
  return table.text();
}

std::string Report::csv(std::span<const CsvColumn> columns) const {
  return csv_header(columns) + csv_row(columns, json_);
}

std::string csv_header(std::span<const CsvColumn> columns) {
  std::string out;
  for (const CsvColumn& column : columns) out.append(out.empty() ? "" : ",").append(column.name);
  return out + "\n";
}

std::string csv_row(std::span<const CsvColumn> columns, const Json& object) {
  std::string out;
  for (size_t i = 0; i < columns.size(); ++i) {
    const Json* const value = object.at(columns[i].member);
    out.append(i == 0 ? "" : ",").append(value == nullptr ? "" : csv_word(value->cell()));
  }
  return out + "\n";
}

void ReportForm::require_one() const {
  if (json && csv) throw InputError("--csv and --json: one of them, please");
}

void add_report_form(ArgumentParser& app, ReportForm& form, std::span<const CsvColumn> columns,
                     const char* help) {
  app.add_flag("--json", form.json, help)->group(help);
  app.add_flag("--csv", form.csv, help)->group(help);
  form.columns = columns;
}

namespace {

// What matters most of a line, in colour: how good the plan is, and what the judge says.
std::string coloured(std::string_view label, std::string line) {
  const size_t value = line.find_first_not_of(' ', label.size());
  if (value == std::string::npos || !line.starts_with(label)) return line;
  const std::string_view text = std::string_view(line).substr(value);
  const auto begins = [&](std::string_view word) { return text.starts_with(word); };
  std::string shown(text);
  if ((label == "verdict" && begins("verified")) || (label == "quality" && begins("optimal")))
    shown = inked(Ink::kGood, text);
  if (label == "verdict" && begins("rejected")) shown = inked(Ink::kBad, text);
  return inked(Ink::kFaint, label) + std::string(value - label.size(), ' ') + shown;
}

}  // namespace

void Report::print(std::ostream& out, const ReportForm& form) const {
  if (form.csv) {
    out << csv(form.columns);
  } else {
    print(out, form.json);
  }
}

void Report::print(std::ostream& out, bool as_json) const {
  if (as_json || !terminal_style().colour) {
    out << (as_json ? json_.text() : text());
    return;
  }
  // Laid out first: escapes have no width.
  const std::string all = text();
  auto next = lines_.begin();
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    std::string line = all.substr(at, end - at);
    if (!line.starts_with(' ') && next != lines_.end()) line = coloured((next++)->label, std::move(line));
    out << line << "\n";
    at = end + 1;
  }
}

}  // namespace quadrille
