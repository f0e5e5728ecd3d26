// Sets of lanes of a router, as words of bits: any number of lanes, in one word as a rule.
#pragma once

#include <bit>
#include <cstdint>

namespace quadrille::lane_set {

inline constexpr uint32_t kNone = UINT32_MAX;

[[nodiscard]] inline uint32_t words_of(uint32_t lanes) { return (lanes + 63) / 64; }
inline void add(uint64_t* set, uint32_t lane) { set[lane / 64] |= uint64_t{1} << (lane % 64); }
inline void remove(uint64_t* set, uint32_t lane) { set[lane / 64] &= ~(uint64_t{1} << (lane % 64)); }
[[nodiscard]] inline bool has(const uint64_t* set, uint32_t lane) {
  return (set[lane / 64] >> (lane % 64) & 1U) != 0;
}
[[nodiscard]] inline bool empty(const uint64_t* set, uint32_t words) {
  for (uint32_t w = 0; w < words; ++w) {
    if (set[w] != 0) return false;
  }
  return true;
}

/// The first of `set` without `but` from `start` on, or kNone.
[[nodiscard]] inline uint32_t first_from(const uint64_t* set, const uint64_t* but, uint32_t words,
                                         uint32_t start) {
  uint32_t w = start / 64;
  if (w >= words) return kNone;
  uint64_t word = set[w] & ~but[w] & (~uint64_t{0} << (start % 64));
  while (word == 0) {
    if (++w == words) return kNone;
    word = set[w] & ~but[w];
  }
  return w * 64 + static_cast<uint32_t>(std::countr_zero(word));
}
/// The same, going on at 0 after the last one.
[[nodiscard]] inline uint32_t first_in_turn(const uint64_t* set, const uint64_t* but, uint32_t words,
                                            uint32_t start) {
  const uint32_t found = first_from(set, but, words, start);
  return found != kNone || start == 0 ? found : first_from(set, but, words, 0);
}
/// The largest of [begin, end) in the set, or kNone.
[[nodiscard]] inline uint32_t last_within(const uint64_t* set, uint32_t begin, uint32_t end) {
  for (uint32_t i = end; i > begin;) {
    const uint32_t w = (i - 1) / 64;
    const uint32_t bits = i - w * 64;
    const uint64_t word = bits == 64 ? set[w] : set[w] & ((uint64_t{1} << bits) - 1);
    if (word != 0) {
      const uint32_t found = w * 64 + 63 - static_cast<uint32_t>(std::countl_zero(word));
      return found >= begin ? found : kNone;
    }
    i = w * 64;
    if (w == 0) break;
  }
  return kNone;
}

}  // namespace quadrille::lane_set
