// What the fuzz targets of both plan forms leave out.
#pragma once

#include <algorithm>
#include <string_view>

namespace quadrille {

/// Texts that only cost the fuzzer time: specs of large graphs (numbers of more than two digits), and specs
/// that read files of this machine.
inline bool is_slow_plan(std::string_view text) {
  if (text.find("file") != std::string_view::npos) return true;
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return false;
  const std::string_view spec = text.substr(open, text.find_first_of("\n\"", open) - open);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t run = 0;
  size_t numbers = 0;
  for (const char c : spec) {
    run = is_digit(c) ? run + 1 : 0;
    if (run == 1) ++numbers;
    if (run > 2) return true;
  }
  return numbers > 2;
}

}  // namespace quadrille
