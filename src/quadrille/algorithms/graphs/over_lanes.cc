#include "quadrille/algorithms/graphs/over_lanes.h"

#include <algorithm>

namespace quadrille {

void add_over_lanes(const Problem& problem, ArcId arc, std::span<const BlockId> blocks, StepBuilder& step) {
  const size_t lanes =
      problem.model().switching == Switching::kWormhole ? problem.topology().capacity(arc) : 1;
  for (size_t worms = std::min(lanes, blocks.size()); worms > 0; --worms) {
    const size_t length = (blocks.size() - 1) / worms + 1;
    step.add({&arc, 1}, blocks.first(length));
    blocks = blocks.subspan(length);
  }
}

}  // namespace quadrille
