#include "quadrille/algorithms/packing/worms/disjoint_ways.h"

namespace quadrille {

DisjointWays::DisjointWays(const Topology& topology, bool half_duplex)
    : topology_(topology),
      half_duplex_(half_duplex),
      fits_(topology.num_arcs() <= 128 && topology.capacity_range().second == 1) {}

void DisjointWays::clear() {
  ways_.clear();
  ends_.clear();
}

void DisjointWays::add_way(std::span<const ArcId> way) {
  if (!fits_) return;
  Way& out = ways_.emplace_back();
  for (const ArcId arc : way) {
    out.takes.add(index(arc));
    out.blocks.add(index(arc));
    if (half_duplex_ && topology_.reverse(arc) != kNoArc) out.blocks.add(index(topology_.reverse(arc)));
  }
}

DisjointWays::Answer DisjointWays::can_all_go(uint32_t most_looks) {
  if (!fits_) return Answer::kUnknown;
  chosen_.assign(ends_.size(), 0);
  is_placed_.assign(ends_.size(), false);
  looks_left_ = most_looks;
  if (place_rest({}, 0)) return Answer::kYes;
  return looks_left_ == 0 ? Answer::kUnknown : Answer::kNo;
}

bool DisjointWays::place_rest(const Arcs& blocked, size_t placed) {
  if (placed == ends_.size()) return true;
  if (looks_left_ == 0) return false;
  --looks_left_;
  size_t next = 0;
  size_t fewest = SIZE_MAX;
  for (size_t worm = 0; worm < ends_.size() && fewest > 0; ++worm) {
    if (is_placed_[worm]) continue;
    size_t free = 0;
    for (size_t w = worm == 0 ? 0 : ends_[worm - 1]; w < ends_[worm]; ++w)
      free += ways_[w].takes.meets(blocked) ? 0U : 1U;
    if (free >= fewest) continue;
    fewest = free;
    next = worm;
  }
  if (fewest == 0) return false;
  is_placed_[next] = true;
  const size_t begin = next == 0 ? 0 : ends_[next - 1];
  for (size_t w = begin; w < ends_[next]; ++w) {
    if (ways_[w].takes.meets(blocked)) continue;
    chosen_[next] = static_cast<uint8_t>(w - begin);
    if (place_rest(blocked.with(ways_[w].blocks), placed + 1)) return true;
    if (looks_left_ == 0) return false;
  }
  is_placed_[next] = false;
  return false;
}

}  // namespace quadrille
