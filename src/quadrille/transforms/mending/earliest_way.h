// Earliest way: how a block comes to a node first, of those who have it, over arcs that are alive and idle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/topology/topology.h"
#include "quadrille/transforms/mending/dead_parts.h"
#include "quadrille/transforms/mending/mended_hops.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {

/// `sources`: who has the block, and from which step on. Of the ways that arrive first one with the fewest hops, each of a single arc that
/// `may_use` takes; nothing where there is none.
template <typename MayUse>
std::optional<std::vector<MendedHop>> earliest_way(const Topology& topology, const DeadParts& dead,
                                                   const StepReservations& machine,
                                                   std::span<const std::pair<uint32_t, NodeId>> sources,
                                                   NodeId to, MayUse may_use) {
  struct Label {
    uint32_t at = UINT32_MAX;
    uint32_t hops = 0;
    ArcId by = kNoArc;
    uint32_t step = 0;
  };
  std::map<NodeId, Label> labels;
  using Entry = std::pair<std::pair<uint32_t, uint32_t>, NodeId>;  // time and hops, node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const auto& [time, node] : sources) {
    labels[node] = {time, 0, kNoArc, 0};
    open.push({{time, 0}, node});
  }
  while (!open.empty()) {
    const auto [key, v] = open.top();
    open.pop();
    const Label now = labels[v];
    if (std::pair(now.at, now.hops) != key) continue;
    if (v == to) break;
    for (const ArcId arc : topology.arcs_from(v)) {
      if (dead.has(arc) || !may_use(arc)) continue;
      const auto step = static_cast<uint32_t>(machine.first_free(std::span(&arc, 1), now.at));
      Label& there = labels[topology.head(arc)];
      if (std::pair(there.at, there.hops) <= std::pair(step + 1, now.hops + 1)) continue;
      there = {step + 1, now.hops + 1, arc, step};
      open.push({{there.at, there.hops}, topology.head(arc)});
    }
  }
  const auto end = labels.find(to);
  if (end == labels.end() || end->second.at == UINT32_MAX) return std::nullopt;
  std::vector<MendedHop> out;
  for (NodeId v = to; labels[v].by != kNoArc; v = topology.tail(labels[v].by))
    out.push_back({labels[v].step, {labels[v].by}});
  std::ranges::reverse(out);
  return out;
}

}  // namespace quadrille
