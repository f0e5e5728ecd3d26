#include "quadrille/algorithms/repair/earliest_ways.h"

#include <algorithm>

namespace quadrille {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

}  // namespace

EarliestWays::EarliestWays(const LivingPart& part, const FreeSlots& slots)
    : part_(part),
      slots_(slots),
      place_(part.topology().num_nodes(), kNowhere),
      soonest_(part.topology().num_nodes(), FreeSlots::kNever) {}

std::span<const EarliestWays::Hop> EarliestWays::find(NodeId from, NodeId to, std::span<const uint32_t> hops,
                                                      uint32_t longer_by, uint32_t before) {
  const Topology& topology = part_.topology();
  const uint32_t most = hops[index(from)] + longer_by;
  reached_.assign(1, {from, 0, kNowhere, {kNoArc, 0}});
  way_.clear();
  uint32_t arrival = kNowhere;
  size_t first = 0;
  for (uint32_t h = 1; h <= most && first < reached_.size() && arrival == kNowhere; ++h) {
    const size_t last = reached_.size();
    for (size_t i = first; i < last; ++i) {
      const NodeId v = reached_[i].node;
      for (const ArcId arc : topology.arcs_from(v)) {
        const NodeId w = topology.head(arc);
        const uint32_t rest = hops[index(w)];
        if (h + rest > most || !part_.lives(arc)) continue;
        ++work_;
        const uint32_t step = slots_.next(arc, reached_[i].step);
        if (step == FreeSlots::kNever || step + rest >= before || step + 1 >= soonest_[index(w)]) continue;
        uint32_t& place = place_[index(w)];
        if (place == kNowhere) {
          place = static_cast<uint32_t>(reached_.size());
          reached_.push_back({w, step + 1, static_cast<uint32_t>(i), {arc, step}});
        } else if (step + 1 < reached_[place].step) {
          reached_[place] = {w, step + 1, static_cast<uint32_t>(i), {arc, step}};
        }
      }
    }
    for (size_t i = last; i < reached_.size(); ++i) {
      const Reached& now = reached_[i];
      soonest_[index(now.node)] = now.step;
      place_[index(now.node)] = kNowhere;
      if (now.node == to) arrival = static_cast<uint32_t>(i);
    }
    first = last;
  }
  for (const Reached& one : reached_) soonest_[index(one.node)] = FreeSlots::kNever;
  for (uint32_t i = arrival; i != kNowhere && reached_[i].over.arc != kNoArc; i = reached_[i].before)
    way_.push_back(reached_[i].over);
  std::ranges::reverse(way_);
  return way_;
}

}  // namespace quadrille
