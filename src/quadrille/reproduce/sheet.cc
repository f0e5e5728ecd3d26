#include "quadrille/reproduce/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace quadrille {
namespace {

// A number as papers print it, and how many digits it has after the point.
struct PrintedNumber {
  double value = 0.0;
  int digits = 0;
};

std::optional<PrintedNumber> parse_printed(std::string_view text) {
  PrintedNumber out;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const size_t point = text.find('.');
  if (point != std::string_view::npos) out.digits = static_cast<int>(text.size() - point - 1);
  return out;
}

}  // namespace

Cell Cell::in_print(std::string text, std::string_view why_not) const {
  Cell out = *this;
  out.printed = std::move(text);
  out.misprint = why_not;
  return out;
}

std::optional<double> Cell::number() const {
  if (const auto* whole = std::get_if<uint64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool Cell::agrees() const {
  if (printed.empty()) return true;
  const std::optional<PrintedNumber> there = parse_printed(printed);
  const std::optional<double> here = number();
  if (!there || !here) return printed == text(3);
  // Half a digit, and what binary fractions lose.
  const double slack = 0.5 * std::pow(10.0, -there->digits);
  return std::fabs(*here - there->value) <= slack * (1 + 1e-9) + 1e-12 * std::fabs(*here);
}

std::string Cell::text(int digits) const {
  if (const auto* whole = std::get_if<uint64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.{}f}", *real, digits);
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return "";
}

bool Sheet::is_printed(size_t column) const {
  return std::any_of(rows.begin(), rows.end(), [column](const std::vector<Cell>& row) {
    return column < row.size() && !row[column].printed.empty();
  });
}

bool Sheet::is_simulated(size_t column) const {
  return std::any_of(rows.begin(), rows.end(), [column](const std::vector<Cell>& row) {
    return column < row.size() && row[column].simulated.has_value();
  });
}

Agreement agreement(const Reproduction& reproduction) {
  Agreement out;
  for (const Sheet& sheet : reproduction.sheets) {
    for (const std::vector<Cell>& row : sheet.rows) {
      for (const Cell& cell : row) {
        if (cell.printed.empty()) continue;
        ++out.printed;
        if (cell.agrees()) ++out.agreeing;
      }
    }
  }
  return out;
}

}  // namespace quadrille
