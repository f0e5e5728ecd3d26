// Least first: the least of some words, in any order, before all others, as std::nth_element puts them, but without branches that go
// either way: of words in no order these take most of its time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace quadrille {

/// Afterwards no word before place `count` is greater than any from there on.
inline void put_least_first(std::span<uint64_t> words, size_t count) {
  constexpr size_t kFew = 16;
  size_t begin = 0;
  size_t end = words.size();
  while (begin < count && count < end) {
    const std::span<uint64_t> here = words.subspan(begin, end - begin);
    if (here.size() <= kFew) {
      std::ranges::sort(here);
      return;
    }
    std::array<uint64_t, 3> some{here.front(), here[here.size() / 2], here.back()};
    std::ranges::sort(some);
    size_t less = 0;
    for (uint64_t& word : here) {
      const uint64_t moved = word;
      word = here[less];
      here[less] = moved;
      less += moved < some[1] ? 1 : 0;
    }
    if (less == 0) {  // of equal words
      std::ranges::nth_element(here, here.begin() + static_cast<std::ptrdiff_t>(count - begin));
      return;
    }
    (begin + less <= count ? begin : end) = begin + less;
  }
}

}  // namespace quadrille
