// Falling temperature: how likely a change for the worse is kept.
#pragma once

#include <cstdint>

#include "quadrille/base/random.h"

namespace quadrille {

/// Chances in whole numbers: the same on every machine.
inline constexpr uint64_t kCertain = uint64_t{1} << 32U;

/// How likely a move that makes a sum one hop longer is kept: less and less. Two hops: the square of it, and so on.
struct Cooling {
  uint64_t hot;
  uint64_t cold;

  [[nodiscard]] bool keeps(uint64_t longer, uint64_t move, uint64_t moves, Rng& rng) const {
    const uint64_t one = hot - (hot - cold) * move / moves;
    uint64_t chance = kCertain;
    for (; longer > 0 && chance > 0; --longer) chance = chance * one >> 32U;
    return (rng.next() >> 32U) < chance;
  }
};

}  // namespace quadrille
