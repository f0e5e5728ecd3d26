// Sheet: what a table or a figure of a paper says, computed anew, with what the paper prints beside it.
//
// A sheet has columns and rows of cells. A cell has a value of ours (a whole number, a real number or words; nothing
// where a formula does not hold) and, where the paper prints one, the paper's as it stands there. Whether both agree is
// a question of printed digits: 3.3231 agrees with "3.32". Where they do not, the cell says why: a misprint is named,
// and tests hold every cell that says nothing to what is printed.
//
//     Sheet sheet{.title = "2^d x 2^d", .columns = {{"d"}, {"T4"}}};
//     sheet.rows.push_back({4, cell(1152).in_print("1002.67", "the last term must be 2^(d+5)/3")});
//
// A figure's sheet says which of its columns are drawn.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace quadrille {

struct Cell {
  std::variant<std::monostate, uint64_t, double, std::string> value{};
  /// As the paper prints it; empty where it prints nothing.
  std::string printed{};
  /// Why what is printed is another value; empty where it is the same.
  std::string misprint{};
  /// What a simulator takes for the plan behind the value, in the value's unit, where that was asked for.
  std::optional<double> simulated{};

  Cell() = default;
  // Implicit, so that rows can be written as they are.
  // NOLINTBEGIN(google-explicit-constructor)
  template <std::integral Integer>
  Cell(Integer whole) : value(static_cast<uint64_t>(whole)) {}
  Cell(double real) : value(real) {}
  Cell(std::string words) : value(std::move(words)) {}
  Cell(std::string_view words) : value(std::string(words)) {}
  Cell(const char* words) : value(std::string(words)) {}
  template <typename Value>
  Cell(const std::optional<Value>& perhaps) {
    if (perhaps) *this = Cell(*perhaps);
  }
  // NOLINTEND(google-explicit-constructor)

  /// The same with what the paper prints.
  [[nodiscard]] Cell in_print(std::string text, std::string_view why_not = {}) const;

  [[nodiscard]] bool is_empty() const { return std::holds_alternative<std::monostate>(value); }
  /// The value as a number, where it is one.
  [[nodiscard]] std::optional<double> number() const;
  /// Whether what is printed is the value, to the digits that are printed; true where nothing is.
  [[nodiscard]] bool agrees() const;
  /// "1152", "3.323", "GP_0", "": real numbers with so many digits after the point.
  [[nodiscard]] std::string text(int digits) const;
};

struct Column {
  std::string name{};
  int digits = 3;  ///< after the point
};

/// How a sheet is drawn: columns of numbers over another one.
struct Curves {
  size_t over = 0;
  std::vector<size_t> columns{};
  std::string x_label{};
  std::string y_label{};
  bool log_x = false;
  bool log_y = false;
};

struct Sheet {
  std::string title{};
  std::vector<Column> columns{};
  std::vector<std::vector<Cell>> rows{};
  std::optional<Curves> curves{};

  /// Whether a cell of the column has something printed.
  [[nodiscard]] bool is_printed(size_t column) const;
  /// Whether a cell of the column has a simulated value.
  [[nodiscard]] bool is_simulated(size_t column) const;
};

/// All of a table or a figure.
struct Reproduction {
  std::vector<Sheet> sheets{};
  /// What is to be said of it besides; sentences.
  std::vector<std::string> notes{};
};

/// How many cells have something printed, and how many of these agree.
struct Agreement {
  uint64_t printed = 0;
  uint64_t agreeing = 0;
};
[[nodiscard]] Agreement agreement(const Reproduction& reproduction);

}  // namespace quadrille
