#include "quadrille/algorithms/alltoall/counted/link_messages.h"

#include <algorithm>

#include "quadrille/algorithms/graphs/over_lanes.h"

namespace quadrille {

void BlocksByArc::add(ArcId arc, BlockId first, uint64_t count) {
  std::vector<BlockId>& blocks = of_[index(arc)];
  if (blocks.empty()) used_.push_back(arc);
  for (uint64_t b = 0; b < count; ++b) blocks.push_back(BlockId{static_cast<uint32_t>(index(first) + b)});
}

void BlocksByArc::send(StepBuilder& step) {
  std::ranges::sort(used_);
  for (const ArcId arc : used_) {
    add_over_lanes(problem_, arc, of_[index(arc)], step);
    of_[index(arc)].clear();
  }
  used_.clear();
}

void RoundsOfLinks::add(ArcId arc, uint64_t count) {
  if (of_[index(arc)] == 0) used_.push_back(arc);
  of_[index(arc)] += count;
}

uint64_t RoundsOfLinks::end_step() {
  uint64_t most = 0;
  for (const ArcId arc : used_) {
    const uint64_t capacity = topology_.capacity(arc);
    most = std::max(most, (of_[index(arc)] + capacity - 1) / capacity);
    of_[index(arc)] = 0;
  }
  used_.clear();
  return most;
}

}  // namespace quadrille
