#include "quadrille/cli/conventions/terminal_style.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/numbers/whole_number.h"

namespace quadrille {
namespace {

constexpr size_t kLeastColumns = 40;
constexpr size_t kMostColumns = 1000;
constexpr size_t kWidestByItself = 120;  // longer lines are hard to read, and nobody asked for them

TerminalStyle the_style;

}  // namespace

TerminalStyle style_for(std::optional<size_t> columns_of_terminal, bool errors_to_terminal,
                        const std::function<std::optional<std::string>(const char*)>& variable) {
  TerminalStyle style;
  const bool plain = !variable("NO_COLOR").value_or("").empty() || variable("TERM").value_or("") == "dumb";
  style.colour = columns_of_terminal.has_value() && !plain;
  style.coloured_errors = errors_to_terminal && !plain;
  const std::optional<uint64_t> said = whole_number(variable("COLUMNS").value_or(""));
  if (said && *said >= kLeastColumns && *said <= kMostColumns) {
    style.width = *said;
  } else if (columns_of_terminal.value_or(0) > 0) {
    style.width = std::clamp(*columns_of_terminal, kLeastColumns, kWidestByItself);
  }
  return style;
}

void set_terminal_style(const TerminalStyle& style) { the_style = style; }

const TerminalStyle& terminal_style() { return the_style; }

std::string inked(Ink ink, std::string_view text) {
  const std::string_view code = ink == Ink::kGood ? "32" : ink == Ink::kBad ? "1;31" : "2";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string error_word() {
  return (the_style.coloured_errors ? inked(Ink::kBad, "error:") : std::string("error:")) + " ";
}

}  // namespace quadrille
