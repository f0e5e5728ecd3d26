// PackedWords: the lanes of several routers, a bit each, in one register; and what can be done to all of them at once.
//
// A word is a router, a bit of it a lane. Counters of lanes are stored by digits, a word for each, so that adding one in some
// lanes and taking one away in others is a chain of carries for all of them.
#pragma once

#include <cstdint>
#include <cstring>

namespace quadrille {

template <typename Word>
class PackedWords {
 protected:
  using Vec __attribute__((vector_size(16))) = Word;
  using Halves __attribute__((vector_size(16))) = uint64_t;
  static constexpr uint32_t kLanes = 8 * sizeof(Word);
  static constexpr uint32_t kWidth = 16 / sizeof(Word);  // routers of a group

  static Vec load(const Word* from) {
    Vec out;
    std::memcpy(&out, from, sizeof(out));
    return out;
  }
  static void store(Word* to, Vec what) { std::memcpy(to, &what, sizeof(what)); }
  static Vec where(Vec a, Vec b) { return __builtin_convertvector(a == b, Vec); }
  static bool any(Vec v) {
    const auto halves = reinterpret_cast<Halves>(v);
    return (halves[0] | halves[1]) != 0;
  }
  // The lanes of the ports by which flits have come, kVcs each: a port sends one in a cycle.
  template <uint32_t kVcs>
  static Vec with_port(Vec lanes, Vec links) {
    if constexpr (kVcs == 1) return lanes;
    constexpr uint32_t kFirsts = kVcs == 2 ? 0x55555555U : 0x11111111U;
    const Vec of_links = lanes & links;
    Vec first = of_links;
    for (uint32_t i = 1; i < kVcs; ++i) first |= of_links >> static_cast<Word>(i);
    first &= static_cast<Word>(kFirsts);
    Vec all = first;
    for (uint32_t i = 1; i < kVcs; ++i) all |= first << static_cast<Word>(i);
    return all | lanes;
  }
  // Of each router the first lane in turn; the turn goes on behind it.
  static Vec take_turn(Vec can, Word* above_word) {
    const Vec above = load(above_word);
    const Vec later = can & above;
    const Vec from = later | (can & where(later, Vec{}));
    const Vec winner = from & (Vec{} - from);
    const Vec nobody = where(winner, Vec{});
    store(above_word, (above & nobody) | (~nobody & (Vec{} - (winner + winner))));
    return winner;
  }

  // Counters of all lanes of a group, more and less by one; where they are not 0 then.
  static Vec count_lanes(Word* rows, uint32_t digits, Vec more, Vec less) {
    Vec carry = more & ~less;
    Vec borrow = less & ~more;
    Vec not_zero{};
    for (uint32_t digit = 0; digit < digits; ++digit) {
      const Vec row = load(rows + digit * kWidth);
      const Vec next = row ^ (carry | borrow);
      carry &= row;
      borrow &= ~row;
      store(rows + digit * kWidth, next);
      not_zero |= next;
    }
    return not_zero;
  }
};

}  // namespace quadrille
