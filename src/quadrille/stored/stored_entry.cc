#include "quadrille/stored/stored_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/stored/embedded.h"

namespace quadrille {
namespace {

constexpr std::string_view kFirstLine = "quadrille-stored 1";
constexpr std::string_view kData = "data";
// What every kind has, after its own keys.
constexpr std::array<std::string_view, 3> kProvenance = {"made-by", "solver", "verified"};
constexpr std::array<std::string_view, 2> kRemarks = {"found-by", "again"};

bool among(std::span<const std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool knows(const StoredKind& kind, std::string_view key) {
  return key == "kind" || among(kind.required, key) || among(kind.optional, key) || among(kProvenance, key) ||
         among(kRemarks, key);
}

bool printable(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

StoredEntry::StoredEntry(const StoredKind& kind, std::string_view path, std::string_view text)
    : path_(path), text_(text) {
  std::string_view rest = text;
  const auto next_line = [&] {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) spoilt(rest, "the text ends before the line 'data', or within a line");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return line;
  };
  if (const std::string_view first = next_line(); first != kFirstLine)
    spoilt(first, fmt::format("'{}' expected, not '{}'", kFirstLine, first));
  while (true) {
    const std::string_view line = next_line();
    if (line == kData) break;
    if (!std::all_of(line.begin(), line.end(), printable)) spoilt(line, "a byte that does not print");
    const size_t blank = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, blank);
    const std::string_view value = line.substr(std::min(blank + 1, line.size()));
    if (!knows(kind, key)) spoilt(line, fmt::format("a {} has no '{}'", kind.name, key));
    if (has(key)) spoilt(line, fmt::format("'{}' is there twice", key));
    if (value.empty() || value.front() == ' ' || value.back() == ' ')
      spoilt(line, fmt::format("'{}' is followed by one blank and a value, and no blank at the end", key));
    fields_.emplace_back(key, value);
  }
  data_ = rest;
  const auto require = [&](std::string_view key) {
    if (!has(key)) spoilt(data_, fmt::format("'{}' is missing above the line 'data'", key));
  };
  require("kind");
  if (value("kind") != kind.name)
    spoilt(value("kind"), fmt::format("a {} where a {} is expected", value("kind"), kind.name));
  for (const std::string_view key : kind.required) require(key);
  for (const std::string_view key : kProvenance) require(key);
}

bool StoredEntry::has(std::string_view key) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == key; });
}

std::string_view StoredEntry::value(std::string_view key) const {
  for (const auto& [name, value] : fields_) {
    if (name == key) return value;
  }
  spoilt(text_, fmt::format("'{}' is missing", key));
}

uint32_t StoredEntry::number_in(std::string_view part, uint32_t least, uint32_t most) const {
  uint32_t out = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
  const bool whole = error == std::errc() && end == part.data() + part.size() && !part.empty();
  if (!whole || (part.size() > 1 && part.front() == '0'))
    spoilt(part, fmt::format("'{}' is no whole number", part));
  if (out < least || out > most)
    spoilt(part, fmt::format("{} is not allowed here: at least {}, at most {}", out, least, most));
  return out;
}

uint32_t StoredEntry::number(std::string_view key, uint32_t least, uint32_t most) const {
  return number_in(value(key), least, most);
}

std::vector<uint32_t> StoredEntry::numbers(std::string_view key, uint32_t least, uint32_t most) const {
  std::vector<uint32_t> out;
  for (std::string_view rest = value(key);;) {
    const size_t comma = rest.find(',');
    out.push_back(number_in(rest.substr(0, comma), least, most));
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

void StoredEntry::spoilt(std::string_view part, std::string_view message) const {
  const auto offset = static_cast<size_t>(part.data() - text_.data());
  QUADRILLE_CHECK(offset <= text_.size(), fmt::format("{} is not in {}", part, path_));
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(offset), '\n') + 1;
  throw InternalError(fmt::format("{}:{}: {}", path_, line, message));
}

std::vector<StoredEntry> stored_entries(const StoredKind& kind) {
  std::vector<StoredEntry> out;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with(kind.folder)) out.emplace_back(kind, file.path, file.text);
  }
  return out;
}

std::string write_stored_entry(const StoredKind& kind,
                               std::span<const std::pair<std::string_view, std::string>> fields,
                               std::string_view data) {
  std::string out = fmt::format("{}\nkind {}\n", kFirstLine, kind.name);
  for (const auto& [key, value] : fields) out += fmt::format("{} {}\n", key, value);
  return fmt::format("{}{}\n{}", out, kData, data);
}

}  // namespace quadrille
