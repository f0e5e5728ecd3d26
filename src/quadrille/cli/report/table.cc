#include "quadrille/cli/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr std::string_view kGap = "  ";

bool is_number(std::string_view cell) {
  return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front())) != 0 &&
         cell.find_first_not_of("0123456789.,/%") == std::string_view::npos;
}

// One line of the text, wrapped.
void wrap_line(std::string_view line, size_t indent, size_t width, std::string& out) {
  size_t column = indent;
  bool first_word = true;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    if (!first_word && column + 1 + word.size() > width && !word.empty()) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first_word) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first_word = false;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

void trim_right(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

std::string wrap(std::string_view text, size_t indent, size_t width) {
  std::string out;
  while (true) {
    const size_t end = text.find('\n');
    wrap_line(text.substr(0, end), indent, width, out);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
    out += '\n';
    if (!text.empty()) out.append(indent, ' ');
  }
}

void Table::row(std::vector<std::string> cells) {
  QUADRILLE_CHECK(cells.size() == header_.size(), fmt::format("{} of {}", cells.size(), header_.size()));
  rows_.push_back(std::move(cells));
}

bool Table::is_numeric(size_t column) const {
  bool any = false;
  for (const std::vector<std::string>& row : rows_) {
    if (row[column].empty() || row[column] == "-") continue;
    if (!is_number(row[column])) return false;
    any = true;
  }
  return any;
}

std::string Table::text(size_t indent, size_t width) const {
  const bool has_header =
      !std::all_of(header_.begin(), header_.end(), [](const std::string& h) { return h.empty(); });
  std::vector<size_t> widths(header_.size());
  std::vector<char> right(header_.size());
  for (size_t c = 0; c < header_.size(); ++c) {
    widths[c] = header_[c].size();
    for (const auto& row : rows_) widths[c] = std::max(widths[c], row[c].size());
    right[c] = has_header && is_numeric(c) ? 1 : 0;
  }
  size_t last_column = indent;
  for (size_t c = 0; c + 1 < widths.size(); ++c) last_column += widths[c] + kGap.size();

  std::string out;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (size_t c = 0; c < cells.size(); ++c) {
      const bool last = c + 1 == cells.size();
      if (right[c] != 0) {
        line += fmt::format("{:>{}}", cells[c], widths[c]);
      } else if (last) {
        line += wrap(cells[c], last_column, width);
      } else {
        line += fmt::format("{:<{}}", cells[c], widths[c]);
      }
      if (!last) line += kGap;
    }
    trim_right(line);
    out += line + "\n";
  };
  if (has_header) print(header_);
  for (const auto& row : rows_) print(row);
  return out;
}

std::string Table::markdown() const {
  std::string out = fmt::format("| {} |\n|", join(header_, " | "));
  for (size_t c = 0; c < header_.size(); ++c) out += is_numeric(c) ? "---:|" : "---|";
  out += '\n';
  for (const auto& row : rows_) out += fmt::format("| {} |\n", join(row, " | "));
  return out;
}

}  // namespace quadrille
