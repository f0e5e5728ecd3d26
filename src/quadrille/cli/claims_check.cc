#include "quadrille/cli/claims_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "quadrille/base/text.h"
#include "quadrille/claims/formula.h"
#include "quadrille/cli/command.h"

namespace quadrille {
namespace claims_check_parts {
namespace {

bool in_word(char c) { return is_digit(c) || is_letter(c); }

// A comma before the last three digits of a number, or before three digits and another such comma.
bool of_thousands(std::string_view text, size_t comma) {
  if (comma == 0 || !is_digit(text[comma - 1])) return false;
  size_t digits = 0;
  while (comma + 1 + digits < text.size() && is_digit(text[comma + 1 + digits])) ++digits;
  return digits == 3;
}

// The digits from a place on.
std::string_view number_at(std::string_view text, size_t at) {
  size_t digits = 0;
  while (at + digits < text.size() && is_digit(text[at + digits])) ++digits;
  return text.substr(at, digits);
}

// Larger by one, however many digits.
std::string one_more(std::string_view number) {
  std::string digits(number);
  size_t at = digits.size();
  while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
  if (at == 0) return "1" + digits;
  ++digits[at - 1];
  return digits;
}

// Runs one command, and says what is wrong with what it printed.
void run(const Recomputation& row, const Sizes& sizes, ClaimCheck& result) {
  result.command = filled_in(row.command, sizes);
  std::vector<std::string> words = split_command_line(result.command);
  words.erase(words.begin());  // the program itself
  std::istringstream in;
  std::ostringstream out;
  Console console{in, out, out};
  result.exit_code = run_command(words, console);
  result.output = out.str();
  ++result.commands;
  const std::string text = squeezed(result.output);
  const std::string expect = squeezed(filled_in(row.expect, sizes));
  if (result.exit_code != kExitOk || !has_words(text, expect)) {
    result.fault = fmt::format("expected \"{}\"", expect);
    return;
  }
  std::vector<std::string> lies = falsehoods(expect);
  if (!row.falsehood.empty()) lies.push_back(squeezed(filled_in(row.falsehood, sizes)));
  if (lies.empty())
    result.fault = "nothing could make this check fail: it has no number and states no falsehood";
  for (const std::string& lie : lies) {
    ++result.falsehoods;
    if (has_words(text, lie)) result.fault = fmt::format("not expected \"{}\"", lie);
  }
}

}  // namespace
}  // namespace claims_check_parts

std::string squeezed(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ',' && claims_check_parts::of_thousands(text, at)) continue;
    const char plain = c == '\n' || c == '\t' ? ' ' : c;
    if (plain != ' ' || (!out.empty() && out.back() != ' ')) out += plain;
  }
  return out;
}

bool has_words(std::string_view text, std::string_view fragment) {
  using claims_check_parts::in_word;
  if (fragment.empty()) return false;
  for (size_t at = text.find(fragment); at != std::string_view::npos; at = text.find(fragment, at + 1)) {
    const size_t end = at + fragment.size();
    const bool begins = at == 0 || !in_word(text[at - 1]) || !in_word(fragment.front());
    const bool ends = end == text.size() || !in_word(text[end]) || !in_word(fragment.back());
    if (begins && ends) return true;
  }
  return false;
}

std::vector<std::string> falsehoods(std::string_view expect) {
  using claims_check_parts::number_at;
  std::vector<std::string> numbers;
  for (size_t at = 0; at < expect.size(); ++at) {
    const std::string_view number = number_at(expect, at);
    if (number.empty()) continue;
    at += number.size() - 1;
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.emplace_back(number);
  }
  std::vector<std::string> all;
  for (const std::string& altered : numbers) {
    std::string text;
    for (size_t at = 0; at < expect.size();) {
      const std::string_view number = number_at(expect, at);
      if (number.empty()) {
        text += expect[at++];
        continue;
      }
      text += number == altered ? claims_check_parts::one_more(number) : std::string(number);
      at += number.size();
    }
    all.push_back(std::move(text));
  }
  return all;
}

ClaimCheck check_claim(const PaperClaim& claim) {
  ClaimCheck result;
  for (const Recomputation& row : claim.checks) {
    for (const Sizes& sizes : sizes_over(row.over)) {
      claims_check_parts::run(row, sizes, result);
      if (!result.fault.empty()) return result;
    }
  }
  result.as_expected = result.commands > 0;
  return result;
}

}  // namespace quadrille
