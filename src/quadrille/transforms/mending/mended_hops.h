// Hops of blocks, before a fault and after it was mended, and what differs as a delta.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
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
  uint32_t transfer = UINT32_MAX;  ///< of its step, before the fault; a hop that was not there has none

  /// Whoever carries it.
  friend bool operator==(const MendedHop& a, const MendedHop& b) {
    return a.step == b.step && a.path == b.path && a.op == b.op && a.slots == b.slots;
  }
};

/// Of some blocks, in the order of their plan.
using HopsOfBlocks = std::map<BlockId, std::vector<MendedHop>>;

/// Hops as numbers: the same of those, and only of those, that are the same, and in the same transfers.
[[nodiscard]] std::vector<uint32_t> numbers_of(const std::vector<MendedHop>& hops);

/// Blocks that go together, such as the pieces of one, in worms: of those that have the same numbers the first one stands for all.
class Bundles {
 public:
  /// Whether that block is the first with these numbers; if not, it will go as that one does.
  bool is_first(BlockId block, const std::vector<uint32_t>& numbers);
  /// All others get the hops of their first, if it has any.
  void unpack(HopsOfBlocks& hops) const;

 private:
  std::map<std::vector<uint32_t>, BlockId> first_{};
  std::vector<std::pair<BlockId, BlockId>> others_{};  // and the one that stands for each
};

/// Hops that are no more are dropped, those that were not there are added; a block that `now` does not have is sent no more. With
/// `carries_many` blocks that take the same hop are one transfer.
void write_changes(const HopsOfBlocks& before, const HopsOfBlocks& now, bool carries_many, PlanDelta& delta);

}  // namespace quadrille
