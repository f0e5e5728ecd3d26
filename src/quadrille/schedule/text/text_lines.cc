#include "quadrille/schedule/text/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "quadrille/base/text.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille::plan_text {

void TextLines::fail(size_t offset, size_t length, std::string_view message) const {
  throw input_error_at(source_, text_, offset, length, message);
}

void TextLines::fail_to_end_of_line(size_t offset, std::string_view message, std::string_view also) const {
  const size_t line_end = std::min(text_.find_first_of("#\r\n", offset), text_.size());
  const size_t end = also.empty() ? line_end : std::min(text_.find_first_of(also, offset), line_end);
  fail(offset, std::max<size_t>(end - offset, 1), message);
}

bool TextLines::next_line() {
  while (next_ < text_.size()) {
    at_ = next_;
    const size_t line_end = std::min(text_.find('\n', at_), text_.size());
    next_ = std::min(line_end + 1, text_.size());
    end_ = line_end;
    // Within the line: where there is no comment, the rest of the file would be searched for each line.
    const std::string_view to_end = text_.substr(0, line_end);
    for (size_t i = to_end.find('#', at_); i < line_end; i = to_end.find('#', i + 1)) {
      if (i > at_ && !is_blank(text_[i - 1])) continue;
      end_ = i;
      break;
    }
    while (end_ > at_ && is_blank(text_[end_ - 1])) --end_;
    skip_blanks();
    if (!at_end()) return true;
  }
  at_ = end_ = text_.size();
  return false;
}

bool TextLines::at_word(std::string_view word) const {
  return rest().starts_with(word) && (end_ == at_ + word.size() || is_blank(text_[at_ + word.size()]));
}

std::string_view TextLines::word() {
  skip_blanks();
  const size_t begin = at_;
  while (at_ < end_ && !is_blank(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

void TextLines::end_of_line(std::string_view where) {
  skip_blanks();
  if (!at_end()) fail(at_, end_ - at_, fmt::format("nothing more may stand in the line {}", where));
}

uint64_t TextLines::number(std::string_view what, uint64_t limit) {
  const size_t begin = at_;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
  at_ = static_cast<size_t>(end - text_.data());
  if (at_ == begin) fail(begin, 1, fmt::format("{} is needed here: a whole number", what));
  if (error != std::errc() || value > limit) {
    fail(begin, at_ - begin, fmt::format("{} is at most {}", what, limit));
  }
  return value;
}

uint32_t TextLines::next_number(std::string_view what) {
  skip_blanks();
  const auto value = static_cast<uint32_t>(number(what, kMaxIds - 1));
  if (!at_end() && !at_blank()) fail(at_, 1, fmt::format("a blank is needed after {}", what));
  return value;
}

void TextLines::nodes(std::string_view noun, std::vector<NodeId>& nodes) {
  // A graph that is written out has a line for each node; a range must not ask for more.
  const uint64_t most = std::max<uint64_t>(text_.size(), 1 << 16);
  for (skip_blanks(); !at_end(); skip_blanks()) {
    const size_t begin = at_;
    const uint64_t first = number(fmt::format("{} {}", noun == "endpoint" ? "an" : "a", noun), kMaxIds - 1);
    uint64_t last = first;
    if (rest().starts_with("..")) {
      at_ += 2;
      last = number(fmt::format("the last {} of a range", noun), kMaxIds - 1);
    }
    if (!at_end() && !at_blank()) fail(at_, 1, fmt::format("{}s are written 0 1 2 or 0..2", noun));
    if (last < first) {
      fail(begin, at_ - begin, fmt::format("a range of {}s goes from small to large", noun));
    }
    if (nodes.size() + (last - first) > most) {
      fail(begin, at_ - begin, fmt::format("more {}s than a file of this size can have links", noun));
    }
    for (uint64_t node = first; node <= last; ++node) nodes.push_back(id_at<NodeId>(node));
  }
}

std::pair<size_t, std::string_view> TextLines::next_setting(std::span<const std::string_view> allowed,
                                                            unsigned& seen, std::string_view where) {
  const size_t begin = at_;
  const std::string_view given = word();
  const size_t equals = std::min(given.find('='), given.size());
  const std::string_view name = given.substr(0, equals);
  const auto found = std::ranges::find(allowed, name);
  if (found == allowed.end() || equals == given.size()) {
    fail(begin, given.size(),
         fmt::format("in a line '{}' stands name=value, where the name is one of {}", where,
                     join(std::vector<std::string_view>(allowed.begin(), allowed.end()))));
  }
  const auto which = static_cast<size_t>(found - allowed.begin());
  const unsigned bit = 1U << which;
  if ((seen & bit) != 0) fail(begin, name.size(), fmt::format("{} is given twice", name));
  seen |= bit;
  value_at_ = begin + equals + 1;
  return {which, given.substr(equals + 1)};
}

uint64_t whole(std::string_view value) {
  uint64_t out = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || value.empty()) {
    throw InputError(fmt::format("'{}' is not a whole number from 0 to {}", plain_name(value), UINT64_MAX));
  }
  return out;
}

uint32_t whole_id(std::string_view value, std::string_view what) {
  const uint64_t number = whole(value);
  if (number >= kMaxIds) throw InputError(fmt::format("{} at most {}", what, kMaxIds - 1));
  return static_cast<uint32_t>(number);
}

}  // namespace quadrille::plan_text
