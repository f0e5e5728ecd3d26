// What `quadrille simulate` draws.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

/// How busy each link was, on the network; as an SVG file.
[[nodiscard]] std::string heat_map_of(const Traffic& traffic, const WormResult& result, std::string title);

/// Who held which link when. Barriers are drawn where there are at most 60.
[[nodiscard]] std::string space_time_of(const Traffic& traffic, const WormResult& result,
                                        std::span<const ChannelUse> uses, const PlanSynchronisation& sync,
                                        double cycle_ns, std::string title);

/// The plan as a page, with the run in time beside its steps (viewer/view_page.h).
[[nodiscard]] std::string page_of(const Compiled& judged, const Traffic& traffic,
                                  std::span<const ChannelUse> uses, double cycle_ns, uint64_t message_bytes);

}  // namespace quadrille
