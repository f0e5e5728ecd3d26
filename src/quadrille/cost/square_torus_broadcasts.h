// Steps of published broadcasts on tori with equal sides, all ports, by worms: formulas alone, for any size.
//
//     square_torus_broadcasts::tsai_mckinley(3, 64)     // 9 steps on 64 x 64 x 64
//     square_torus_broadcasts::park(3, 64)              // nothing: 64 is no power of 7
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace quadrille::square_torus_broadcasts {

/// 2^d x 2^d and 2^d x 2^d x z, in dimension order.
[[nodiscard]] std::optional<uint64_t> tsai_mckinley(std::span<const uint64_t> sides);
/// k dimensions of side n; nothing where a formula does not hold.
[[nodiscard]] std::optional<uint64_t> tsai_mckinley(uint64_t k, uint64_t n);
[[nodiscard]] std::optional<uint64_t> park(uint64_t k, uint64_t n);  ///< n = (2k+1)^p, in any order
[[nodiscard]] std::optional<uint64_t> peters_syska(uint64_t k,
                                                   uint64_t n);  ///< k = 2, n = 5^p or 2 5^p, in any order
[[nodiscard]] std::optional<uint64_t> tsay_wang(uint64_t k, uint64_t n);  ///< n >= 3

}  // namespace quadrille::square_torus_broadcasts
