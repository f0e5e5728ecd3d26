// A broadcast by worms along paths, on any graph: merged backwards (path_merging.h), or grown forwards (path_growing.h) where that takes
// fewer steps.
#pragma once

#include <memory>

#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The worms of every step, from the root to all endpoints; each node starts at most `send` of them in a step. No
/// link carries two worms in opposite directions, and no arc carries two, unless they are `shared`. Whoever asks again, on whichever
/// thread, gets what was found.
[[nodiscard]] std::shared_ptr<const BroadcastWorms> broadcast_along_paths(const Topology& topology,
                                                                          NodeId root, Ports send,
                                                                          bool shared);

}  // namespace quadrille
