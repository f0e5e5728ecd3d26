// What `quadrille simulate` says of a simulation.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/sim/simulation.h"

namespace quadrille {

/// Messages, routers, and a warning where worms may wait in a circle.
void report_setting(const Traffic& traffic, const WormParameters& worms, uint64_t flit_bytes,
                    bool store_and_forward, Report& report);
/// Time, contention, links.
void report_simulation(const Traffic& traffic, const Simulation& done, double cycle_ns, Report& report);
void report_seeds(const SeedSweep& sweep, double cycle_ns, Report& report);

/// Who waits for whom, a line each.
[[nodiscard]] std::string deadlock_text(const Traffic& traffic, const Deadlock& deadlock);

}  // namespace quadrille
