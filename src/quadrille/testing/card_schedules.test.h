// Schedules of the house's own cards, for tests of programs.
#pragma once

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/verify/schedule.h"

namespace quadrille::testing {

/// What a card makes on a network with one port and wormhole switching.
[[nodiscard]] Schedule made_by(const Algorithm& card, std::string_view spec);

}  // namespace quadrille::testing
