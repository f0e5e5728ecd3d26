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

std::vector<uint32_t> numbers_of(const std::vector<MendedHop>& hops) {
  std::vector<uint32_t> out;
  for (const MendedHop& hop : hops) {
    out.insert(out.end(), {hop.step, hop.transfer, static_cast<uint32_t>(hop.op), hop.slots.from,
                           hop.slots.to, static_cast<uint32_t>(hop.path.size())});
    for (const ArcId arc : hop.path) out.push_back(static_cast<uint32_t>(index(arc)));
  }
  return out;
}

bool Bundles::is_first(BlockId block, const std::vector<uint32_t>& numbers) {
  const auto [first, is_new] = first_.try_emplace(numbers, block);
  if (!is_new) others_.emplace_back(block, first->second);
  return is_new;
}

void Bundles::unpack(HopsOfBlocks& hops) const {
  for (const auto& [block, first] : others_)
    if (const auto found = hops.find(first); found != hops.end()) hops[block] = found->second;
}

void write_changes(const HopsOfBlocks& before, const HopsOfBlocks& now, bool carries_many, PlanDelta& delta) {
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
      std::vector<std::pair<const MendedHop*, std::vector<BlockId>>> transfers;
      std::map<std::vector<uint32_t>, size_t> place;
      for (const auto& [block, hop] : step) {
        const auto [at, is_new] = carries_many ? place.try_emplace(numbers_of({*hop}), transfers.size())
                                               : std::pair{place.end(), true};
        if (is_new) {
          transfers.push_back({hop, {block}});
        } else {
          transfers[at->second].second.push_back(block);
        }
      }
      for (const auto& [hop, blocks] : transfers) builder.add(hop->path, blocks, hop->op, hop->slots);
      builder.flush(*plan);
    }
  }
}

}  // namespace quadrille
