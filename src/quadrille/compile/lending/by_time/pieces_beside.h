// pieces_beside: worms that stream a vector take as many steps for several numbers of pieces, and are best in the last of them. Where
// that is, only a look at each tells.
#pragma once

#include <algorithm>
#include <cstdint>

namespace quadrille {

/// Streams of more pieces are not looked at one by one: a piece more saves little there.
inline constexpr uint64_t kMostPiecesBeside = 32;

/// Asks numbers of pieces above `from` and then below it, each way until six in a row bring nothing. `is_better` makes a plan
/// in so many, and says whether it is faster than all before. Nothing is asked beyond `most`.
template <typename IsBetter>
void look_beside(uint64_t from, uint64_t most, const IsBetter& is_better) {
  constexpr uint64_t kInVain = 6;
  most = std::min(most, kMostPiecesBeside);
  if (from > most) return;
  uint64_t in_vain = 0;
  for (uint64_t pieces = from + 1; pieces <= most && in_vain < kInVain; ++pieces)
    in_vain = is_better(pieces) ? 0 : in_vain + 1;
  in_vain = 0;
  for (uint64_t pieces = from - 1; pieces > 0 && in_vain < kInVain; --pieces)
    in_vain = is_better(pieces) ? 0 : in_vain + 1;
}

}  // namespace quadrille
