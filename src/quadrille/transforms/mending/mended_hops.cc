#include "quadrille/transforms/mending/mended_hops.h"

#include <algorithm>
#include <utility>

namespace quadrille {
namespace {

// By step.
using Changes = std::vector<std::vector<std::pair<BlockId, const MendedHop*>>>;

void note(BlockId block, const std::vector<MendedHop>& hops, const std::vector<MendedHop>& others,
          Changes& out) {
  for (const MendedHop& hop : hops) {
    if (std::ranges::find(others, hop) != others.end()) continue;
    if (hop.step >= out.size()) out.resize(hop.step + size_t{1});
    out[hop.step].emplace_back(block, &hop);
  }
}

}  // namespace

void write_changes(const HopsOfBlocks& before, const HopsOfBlocks& now, PlanDelta& delta) {
  Changes dropped;
  Changes added;
  const std::vector<MendedHop> none;
  for (const auto& [block, hops] : before) {
    const auto found = now.find(block);
    const std::vector<MendedHop>& left = found == now.end() ? none : found->second;
    note(block, hops, left, dropped);
    note(block, left, hops, added);
  }
  const size_t steps = std::max(dropped.size(), added.size());
  StepBuilder builder;
  for (const auto& [changes, plan] : {std::pair{&dropped, &delta.dropped}, std::pair{&added, &delta.added}}) {
    changes->resize(steps);
    for (const auto& step : *changes) {
      for (const auto& [block, hop] : step) builder.add(hop->path, std::span(&block, 1), hop->op, hop->slots);
      builder.flush(*plan);
    }
  }
}

}  // namespace quadrille
