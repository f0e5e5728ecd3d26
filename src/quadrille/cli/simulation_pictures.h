// What `quadrille simulate` draws.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

/// How busy each link was, on the network; as an SVG file.
[[nodiscard]] std::string heat_map_of(const Traffic& traffic, const WormResult& result, std::string title);

/// Who held which link when. Barriers are drawn where there are at most 60.
[[nodiscard]] std::string space_time_of(const Traffic& traffic, const WormResult& result,
                                        std::span<const ChannelUse> uses, const PlanSynchronisation& sync,
                                        double cycle_ns, std::string title);

}  // namespace quadrille
