// simulate(): worms by whole messages where none waits, and flit by flit where some do.
//
//     const Simulation done = simulate(traffic, {.vcs = 2}, {.synchronisation = sync, .stalls = {.most = 300}});
//     done.result.cycles; done.by_flits;
//
// What comes out is the same either way: UncontendedWorms are tried first, and count only where no two of them meet.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "quadrille/base/crew/crew.h"
#include "quadrille/sim/uncontended_worms.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

struct Simulation {
  WormResult result{};
  bool by_flits = true;
  bool by_packets = false;  ///< store and forward (packet_simulator.h)
  bool begun = true;        ///< else it would have taken longer than wished
  /// Where worms that never wait would have met first; nothing if they do not, or if that was not asked.
  std::optional<uint64_t> first_conflict{};
};

struct SimulationWishes {
  bool by_flits = false;  ///< do not look for a shorter way
  /// Told before it is gone through flit by flit how many seconds that may take on one core.
  std::function<void(double)> before_flits{};
  /// What would take longer flit by flit is not begun.
  double most_seconds = std::numeric_limits<double>::infinity();
};

[[nodiscard]] Simulation simulate(const Traffic& traffic, const WormParameters& parameters,
                                  const WormRun& run, const SimulationWishes& options = {});

/// What became of many seeds of stalls.
struct SeedSweep {
  uint64_t seeds = 0;
  uint64_t with_contention = 0;
  uint64_t deadlocks = 0;
  uint64_t least_cycles = kNever;
  uint64_t most_cycles = 0;
  double mean_cycles = 0.0;
  std::optional<uint64_t> first_bad{};  ///< the first seed with contention or a deadlock
};

/// One of them.
struct SeedOutcome {
  uint64_t cycles = 0;
  bool contention = false;
  bool deadlock = false;
};
/// Runs one seed after another, on one core: with the stalls that it is given.
using SeedRunner = std::function<SeedOutcome(const Stalls&)>;

/// The stalls with their seed and so many after it, by runners of which each is used by one thread at a time. Otherwise
/// as the following.
[[nodiscard]] SeedSweep sweep_seeds(const std::function<SeedRunner()>& runner, const Stalls& stalls,
                                    uint64_t seeds, const Sharing& how);

/// Seeds run.stalls.seed, and so many after it; `how.done` is told how many are over. The same whoever shares them.
[[nodiscard]] SeedSweep sweep_seeds(const Traffic& traffic, const WormParameters& parameters,
                                    const WormRun& run, uint64_t seeds, const Sharing& how);

/// Seconds that a run may take on one core, flit by flit.
[[nodiscard]] double estimated_seconds(const Traffic& traffic, const WormParameters& parameters,
                                       const WormRun& run);
/// The same of packets.
[[nodiscard]] double estimated_packet_seconds(const Traffic& traffic);

}  // namespace quadrille
