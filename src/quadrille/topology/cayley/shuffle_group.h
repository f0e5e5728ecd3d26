// Z_2^d with a cyclic shift: the group of cube-connected cycles and wrapped butterflies.
#pragma once

#include <cstdint>
#include <memory>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {

/// Pairs (w, p) of d bits and a position p in 0..d-1, numbered w*d + p, with
/// (w,p)*(w',p') = (w xor rot(w',p), p+p' mod d), where rot moves bit i to bit i+p mod d. 1 <= d <= 26.
[[nodiscard]] std::shared_ptr<const Group> shuffle_group(uint32_t d);
inline constexpr uint32_t kMaxShuffleBits = 26;

}  // namespace quadrille
