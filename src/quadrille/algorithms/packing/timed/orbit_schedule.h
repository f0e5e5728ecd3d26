// Orbit schedule: when each hop of even routes goes, at all images of a block at once.
//
// Step by step a matching of ports (port_matching.h) says which links are used, and a link sends on, of what waits for it, what has the
// longest way to go.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/timed/even_routes.h"

namespace quadrille {

struct OrbitSchedule {
  struct Move {
    uint32_t path;
    ArcId arc;  ///< that it takes: who writes the steps out need not look for it in the path
  };

  /// Of all steps the paths that move on by a hop, one step after the other.
  std::vector<Move> moves{};
  std::vector<size_t> step_ends{};

  [[nodiscard]] uint64_t steps() const { return step_ends.size(); }
};

[[nodiscard]] OrbitSchedule schedule_orbits(const EvenRoutes& routes, const Mirrors& mirrors,
                                            const OrbitLinks& links, Ports send, Ports receive);

}  // namespace quadrille
