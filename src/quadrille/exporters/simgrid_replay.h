// What the exporters for SimGrid share: the messages of a schedule, the ranks that exchange them, and the constants in seconds.
//
// SimGrid replays a trace that knows no time: each rank posts its receptions of a step, waits for one start-up, sends, and goes on
// when all of its own messages of the step are over. Where all ranks do the same in a step this takes
//
//     start_ups ts + critical_hops tl + (bytes of the critical path + 16 a message) tx
//
// The 16 bytes are the envelope that SimGrid adds to every message. docs/simulation.md says how it is called, and when it takes another time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/exporters/exporter.h"
#include "quadrille/sim/traffic.h"

namespace quadrille {

struct SimgridReplay {
  Traffic traffic;              ///< a flit is a block
  std::vector<NodeId> ranks{};  ///< endpoints; all nodes if routers send or receive themselves
  std::vector<uint32_t> rank_of{};
  CostConstants cost{};  ///< in microseconds

  [[nodiscard]] static std::string host(NodeId node);
};

/// Throws InputError for constants without a unit, bytes that cost nothing, and what a trace does not know: memory
/// that is rearranged, and the overhead of further messages.
[[nodiscard]] SimgridReplay simgrid_replay(const ScheduleToExport& what);

}  // namespace quadrille
