// Path growing: a broadcast by worms on any graph, found forwards, from one node or from several that know.
//
// In every step as many are told as can be (crowd_paths.h), routers too where there are any: they hold what passes, and have more
// links than hosts. Who is told first is a matter of weight, at the beginning the number of links. When the last of so many steps leaves
// nodes untold, those that were beyond reach then had too few among them who knew: their weights rise, or a few of
// them do, and what leaves more untold than before is taken back. Merging backwards (path_merging.h) places few nodes well on long
// paths; who knew early there is the second beginning.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// No broadcast from there takes fewer steps: however those of most links are told first.
[[nodiscard]] uint32_t fewest_steps_of_growth(const Topology& topology, const std::vector<NodeId>& roots,
                                              Ports send);

/// The worms of every step, from the roots to all endpoints, in fewer steps than `known` has; `known` itself if none are
/// found. Each node starts at most `send` of them in a step. No arc carries two, and no link two in opposite directions.
[[nodiscard]] BroadcastWorms grow_along_paths(const Topology& topology, const std::vector<NodeId>& roots,
                                              Ports send, BroadcastWorms known);

}  // namespace quadrille
