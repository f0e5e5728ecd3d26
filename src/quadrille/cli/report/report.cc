#include "quadrille/cli/report/report.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "quadrille/cli/report/table.h"

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

void Report::print(std::ostream& out, bool as_json) const { out << (as_json ? json_.text() : text()); }

}  // namespace quadrille
