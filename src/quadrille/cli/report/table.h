// Tables and paragraphs for people, in plain text that fits a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/cli/conventions/terminal_style.h"

namespace quadrille {

/// How wide generated pages and helps are, whatever the terminal; words that are longer stay whole.
inline constexpr size_t kTextWidth = 100;
inline constexpr size_t kHelpWidth = 80;

/// Breaks a text at blanks into lines that fit `width`; the lines after the first start with `indent` blanks.
/// The first line is taken to start at column `indent`, too. Newlines in the text stay.
[[nodiscard]] std::string wrap(std::string_view text, size_t indent, size_t width = terminal_style().width);

/// Rows of cells. Columns of numbers under a header are aligned right; the last column is wrapped.
///
///     Table table({"name", "summary"});
///     table.row({"ring", "a circle of nodes"});
///     out << table.text();
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  /// As many cells as the header has.
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// `indent` blanks before every line; the header is left out if all its names are empty.
  [[nodiscard]] std::string text(size_t indent = 0, size_t width = terminal_style().width) const;
  [[nodiscard]] std::string markdown() const;

 private:
  [[nodiscard]] bool is_numeric(size_t column) const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace quadrille
