// Worms of a gossip: who tells whom in each step, and over which links.
#pragma once

#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

/// A path from the one who sends to the one who receives.
struct GossipWorm {
  NodeId from{};
  NodeId to{};
  std::vector<ArcId> path{};
};

using GossipSteps = std::vector<std::vector<GossipWorm>>;

}  // namespace quadrille
