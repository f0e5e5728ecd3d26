// A set of groups of routers, as bits: those that packed worms have something to do for in a cycle.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace quadrille {

class GroupSet {
 public:
  void resize(size_t groups) { words_.assign((groups + 63) / 64, 0); }
  void add(uint32_t g) { words_[g / 64] |= uint64_t{1} << (g % 64); }
  void remove(uint32_t g) { words_[g / 64] &= ~(uint64_t{1} << (g % 64)); }
  void clear() { std::ranges::fill(words_, 0); }
  void take(GroupSet& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= std::exchange(other.words_[w], 0);
  }
  template <typename Visit>
  void each(Visit visit) const {
    for (uint32_t w = 0; w < words_.size(); ++w) {
      for (uint64_t word = words_[w]; word != 0; word &= word - 1)
        visit(w * 64 + static_cast<uint32_t>(std::countr_zero(word)));
    }
  }

 private:
  std::vector<uint64_t> words_{};
};

}  // namespace quadrille
