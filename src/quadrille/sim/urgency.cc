#include "quadrille/sim/urgency.h"

#include <algorithm>

namespace quadrille {

Urgency::Urgency(const Traffic& traffic, std::span<const Priority> priorities) {
  if (priorities.empty() || traffic.messages.empty()) return;
  const PriorityTable table(priorities);
  of_.reserve(traffic.messages.size());
  for (const TrafficMessage& m : traffic.messages)
    of_.push_back(table.level(m.step, m.source, m.destination));
  std::vector<uint32_t> used = of_;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (uint32_t& level : of_)
    level = static_cast<uint32_t>(std::ranges::lower_bound(used, level) - used.begin());
  levels_ = static_cast<uint32_t>(used.size());
}

}  // namespace quadrille
