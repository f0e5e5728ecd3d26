#include "arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "quadrille/base/input_error.h"

namespace quadrille::search_tool {
namespace {

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Arguments::Arguments(std::span<const std::string> words, std::span<const std::string_view> with_value,
                     std::span<const std::string_view> without) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      words_.push_back(words[i]);
    } else if (among(without, words[i])) {
      options_.push_back({words[i], ""});
    } else if (!among(with_value, words[i])) {
      throw InputError(fmt::format("no option of this search is called {}", words[i]));
    } else if (i + 1 == words.size()) {
      throw InputError(fmt::format("{} needs a value", words[i]));
    } else {
      options_.push_back({words[i], words[i + 1]});
      ++i;
    }
  }
}

const std::string& Arguments::word(size_t k, std::string_view what) const {
  if (k >= words_.size()) throw InputError(fmt::format("{} is missing", what));
  return words_[k];
}

bool Arguments::has(std::string_view option) const {
  return std::any_of(options_.begin(), options_.end(), [&](const Option& o) { return o.name == option; });
}

std::optional<std::string> Arguments::value(std::string_view option) const {
  for (const Option& each : options_) {
    if (each.name == option) return each.value;
  }
  return std::nullopt;
}

uint32_t Arguments::number(std::string_view option, uint32_t otherwise) const {
  const std::optional<std::string> text = value(option);
  return text ? whole_number(*text, option) : otherwise;
}

uint32_t whole_number(std::string_view text, std::string_view what, uint32_t least, uint32_t most) {
  uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out < least || out > most) {
    throw InputError(
        fmt::format("'{}' is not allowed for {}: a whole number from {} to {}", text, what, least, most));
  }
  return out;
}

std::vector<uint32_t> whole_numbers(std::string_view text, std::string_view what, uint32_t least) {
  std::vector<uint32_t> out;
  while (true) {
    const size_t comma = text.find(',');
    out.push_back(whole_number(text.substr(0, comma), what, least));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> out;
  bool inside = false;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted && !inside) out.emplace_back();
      inside = true;
    } else if (c == ' ' && !quoted) {
      inside = false;
    } else {
      if (!inside) out.emplace_back();
      inside = true;
      out.back() += c;
    }
  }
  if (quoted) throw InputError(fmt::format("a quote is not closed: {}", line));
  return out;
}

}  // namespace quadrille::search_tool
