// Random numbers that are the same everywhere: the same seed gives the same bytes on every machine and
// compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace quadrille {

/// A small generator (splitmix64: Steele, Lea, Flood 2014). Passed in by whoever makes random choices; never
/// global.
class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// A number in [0, bound); bound > 0. The bias is below 2^-32 for bounds below 2^32.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }

  template <typename Container>
  void shuffle(Container& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace quadrille
