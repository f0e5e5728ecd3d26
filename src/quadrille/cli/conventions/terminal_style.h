// TerminalStyle: how wide text is printed and whether in colour. What goes to a file or another program is the same on
// every machine; only a terminal, or somebody who sets COLUMNS, changes it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

struct TerminalStyle {
  size_t width = 100;   ///< columns of text; words that are longer stay whole
  bool colour = false;  ///< of what is printed
  bool coloured_errors = false;
};

/// What the process's streams ask for: `columns_of_terminal` is nothing where standard output is no terminal, and
/// `variable` tells the value of an environment variable, nothing where it is not set. COLUMNS (40 to 1,000) counts
/// everywhere; NO_COLOR, if it is not empty, and TERM=dumb turn colours off (no-color.org).
[[nodiscard]] TerminalStyle style_for(std::optional<size_t> columns_of_terminal, bool errors_to_terminal,
                                      const std::function<std::optional<std::string>(const char*)>& variable);

/// The process's style: main sets it once, before anything is printed.
void set_terminal_style(const TerminalStyle& style);
[[nodiscard]] const TerminalStyle& terminal_style();

enum class Ink : unsigned char { kGood, kBad, kFaint };

/// The text between the escapes that switch a colour on and off.
[[nodiscard]] std::string inked(Ink ink, std::string_view text);

/// "error: ", in colour where errors are.
[[nodiscard]] std::string error_word();

}  // namespace quadrille
