// Swarm steps: what a search by blocks sends, step by step, before it is a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A block, by its number, over an arc.
struct SwarmSend {
  ArcId arc;
  uint32_t block;
};
using SwarmSteps = std::vector<std::vector<SwarmSend>>;

/// Where all endpoints get all of so many blocks: without what routers got for nobody.
void leave_out_needless(const Topology& net, uint32_t blocks, SwarmSteps& steps);

/// Steps in which nothing is sent are none.
[[nodiscard]] Plan plan_of(SwarmSteps steps);

}  // namespace quadrille
