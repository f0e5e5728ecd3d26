// The same worms as worm_simulator.h, written down as the rules are read: every flit is an object, every router and
// every node is looked at in every cycle. A reference for tests; not meant to be fast. Shares no code with what it checks
// but the description of the traffic and the draw of a stall.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/sim/worm_simulator.h"

namespace quadrille::testing {

struct NaiveResult {
  std::vector<uint64_t> delivered{};  ///< kNever: not at all
  uint64_t cycles = 0;
  uint64_t flit_hops = 0;
  uint64_t channel_waits = 0;
  uint64_t switch_conflicts = 0;
  uint64_t pushed_aside = 0;
  bool finished = false;
  bool conserved = true;  ///< flits and credits of every buffer, in every cycle
};

/// `lost_credit`: from this cycle on the first credit that is due never comes.
[[nodiscard]] NaiveResult naive_worms(const Traffic& traffic, const WormParameters& parameters,
                                      const WormRun& run, uint64_t lost_credit = kNever);

}  // namespace quadrille::testing
