#include "quadrille/algorithms/packing/idle_lanes.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

IdleLanes::IdleLanes(const Problem& problem)
    : topology_(problem.topology()),
      send_(problem.model().send),
      receive_(problem.model().receive),
      has_lanes_(has_wide_arcs(topology_)) {
  if (!has_lanes_) return;
  on_arc_.assign(topology_.num_arcs(), 0);
  sent_.assign(topology_.num_nodes(), 0);
  received_.assign(topology_.num_nodes(), 0);
}

void IdleLanes::add(std::span<const ArcId> path, std::span<const BlockId> blocks) {
  Worm worm{arcs_.size(), arcs_.size() + path.size(), blocks_.size(), blocks_.size() + blocks.size(), 1};
  arcs_.insert(arcs_.end(), path.begin(), path.end());
  blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
  worms_.push_back(worm);
}

void IdleLanes::use(const Worm& worm, int32_t parts) {
  const auto more = static_cast<uint32_t>(parts);  // or fewer: it wraps round
  for (const ArcId arc : path(worm)) on_arc_[index(arc)] += more;
  sent_[index(topology_.tail(path(worm).front()))] += more;
  received_[index(topology_.head(path(worm).back()))] += more;
}

bool IdleLanes::has_another(const Worm& worm) const {
  const auto has_port = [](Ports ports, uint32_t used) { return ports.unlimited() || used < ports.count; };
  return has_port(send_, sent_[index(topology_.tail(path(worm).front()))]) &&
         has_port(receive_, received_[index(topology_.head(path(worm).back()))]) &&
         std::ranges::all_of(path(worm),
                             [&](ArcId arc) { return on_arc_[index(arc)] < topology_.capacity(arc); });
}

void IdleLanes::flush(StepBuilder& step) {
  if (has_lanes_) {
    for (const Worm& worm : worms_) use(worm, 1);
    // The longest part first, of equals the first worm's.
    const auto longest = [&](uint32_t w) {
      const Worm& worm = worms_[w];
      return (worm.blocks_end - worm.blocks_begin + worm.parts - 1) / worm.parts;
    };
    std::priority_queue<std::pair<size_t, uint32_t>> by_length;
    const auto wait = [&](uint32_t w) { by_length.emplace(longest(w), UINT32_MAX - w); };
    for (uint32_t w = 0; w < worms_.size(); ++w) wait(w);
    while (!by_length.empty() && by_length.top().first > 1) {
      const uint32_t w = UINT32_MAX - by_length.top().second;
      by_length.pop();
      if (!has_another(worms_[w])) break;
      use(worms_[w], 1);
      ++worms_[w].parts;
      wait(w);
    }
    for (const Worm& worm : worms_) use(worm, -static_cast<int32_t>(worm.parts));
  }
  for (const Worm& worm : worms_) {
    const size_t size = worm.blocks_end - worm.blocks_begin;
    for (size_t part = 0; part < worm.parts; ++part) {
      const size_t from = size * part / worm.parts;
      const size_t to = size * (part + 1) / worm.parts;
      step.add(path(worm), std::span(blocks_).subspan(worm.blocks_begin + from, to - from));
    }
  }
  worms_.clear();
  arcs_.clear();
  blocks_.clear();
}

}  // namespace quadrille
