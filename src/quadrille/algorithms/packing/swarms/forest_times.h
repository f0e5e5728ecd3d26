// Forest times: in which step every send of many trees goes, if links and ports are few.
//
// Whoever waits is served by what is still to come after it, late blocks some tenths of a send behind early ones. Then the timetable is
// made again backwards, where all arcs run the other way, and forwards, in the order of the last one, to and fro (Li and Willis
// 1992). Several orders to begin with; the shortest is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A block over an arc of a tree.
struct TreeSend {
  ArcId arc;
  uint32_t block;  ///< later ones may be behind
  std::vector<uint32_t>
      before{};  ///< sends that must have gone, by their place in the list; they stand before this one
};

struct ForestTimes {
  uint32_t steps = 0;
  std::vector<uint32_t> step_of{};  ///< by send
};

/// Single packets, full duplex, in at most `most` steps, or nothing; `least`: no timetable has fewer.
[[nodiscard]] std::optional<ForestTimes> find_forest_times(const Topology& net, Ports send, Ports receive,
                                                           std::vector<TreeSend> sends, size_t most,
                                                           uint64_t least);

}  // namespace quadrille
