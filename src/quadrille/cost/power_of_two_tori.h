// What total exchange of worms costs on rings and tori whose sides are 2^d, in closed form: start-ups, and blocks on the
// critical path.
//
// Formulas of the 1999 paper and of those that it compares with. They know no topology and number no block, so they
// answer at any size up to the exponents below; tests hold those of schedules that are built here against their plans.
//
//     power_of_two_tori::t4(5)     // 14 start-ups, 6784 blocks on 32 x 32
#pragma once

#include <cstdint>

#include "quadrille/cost/published_cost.h"

namespace quadrille::power_of_two_tori {

/// The largest exponents, of rings and of tori of two and of three dimensions: so that every count fits 64 bits.
inline constexpr uint32_t kMostRing = 28;
inline constexpr uint32_t kMost2d = 19;
inline constexpr uint32_t kMost3d = 14;

/// The published gather-scatter tree on a ring of 2^d, d >= 3: theorem 1.
[[nodiscard]] CostParts ring(uint32_t d);
/// Rings, dimension after dimension, on `dimensions` sides of 2^d: T1 and C1.
[[nodiscard]] CostParts t1(uint32_t d, uint32_t dimensions);
[[nodiscard]] CostParts t4(uint32_t d);    ///< d >= 4
[[nodiscard]] CostParts c64(uint32_t d);   ///< d >= 5
[[nodiscard]] CostParts dp2d(uint32_t d);  ///< d >= 2
[[nodiscard]] CostParts dp3d(uint32_t d);  ///< d >= 3
[[nodiscard]] CostParts t2d1(uint32_t d);  ///< d >= 4, as all that follow; T-3D1 from d = 3 on
[[nodiscard]] CostParts t2d2(uint32_t d);
[[nodiscard]] CostParts t3d1(uint32_t d);
[[nodiscard]] CostParts t3d2(uint32_t d);
/// What no schedule with one port is below: lemma 8.
[[nodiscard]] CostParts bound(uint32_t d, uint32_t dimensions);

}  // namespace quadrille::power_of_two_tori
