// Hops of blocks, before a fault and after it was mended, and what differs as a delta.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/delta/plan_delta.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// One block on its way over a path in a step.
struct MendedHop {
  uint32_t step = 0;
  std::vector<ArcId> path{};
  TransferOp op = TransferOp::kDefault;
  SumSlots slots{};

  friend bool operator==(const MendedHop&, const MendedHop&) = default;
};

/// Of some blocks, in the order of their plan.
using HopsOfBlocks = std::map<BlockId, std::vector<MendedHop>>;

/// Hops that are no more are dropped, those that were not there are added; a block that `now` does not have is sent no more.
void write_changes(const HopsOfBlocks& before, const HopsOfBlocks& now, PlanDelta& delta);

}  // namespace quadrille
