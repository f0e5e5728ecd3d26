// Costs: what a start-up, a byte or a hop takes, in a unit that the user chooses.
//
// A cost is a number from 0 to 10^100. No more, so that no time of a plan is ever infinite: a plan has at
// most 2^64 start-ups and 2^64 blocks of 2^64 bytes.
//
//     cost_of("2.5")     // 2.5
//     cost_of("nan")     // nothing; neither are "-1", "inf", "1e308", "0x10", "" and " 1"
#pragma once

#include <optional>
#include <string_view>

namespace quadrille {

inline constexpr double kMostCost = 1e100;

/// True for what a cost may be.
[[nodiscard]] bool is_cost(double value);

/// The cost that `text` is; nothing where it is none.
[[nodiscard]] std::optional<double> cost_of(std::string_view text);

/// What plan files say of costs that are in microseconds: time=us. Throws InputError for another unit.
inline constexpr std::string_view kMicroseconds = "us";
void require_microseconds(std::string_view unit);

}  // namespace quadrille
