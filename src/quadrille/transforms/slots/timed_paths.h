// Timed paths: packets, their paths, and the step in which each takes each hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

struct TimedPaths {
  uint32_t steps = 0;
  std::vector<BlockId> blocks;
  std::vector<size_t> begin{0};  ///< of each packet's hops; one more at the end
  std::vector<ArcId> arcs;
  std::vector<uint32_t> step_of;  ///< of every hop

  [[nodiscard]] size_t size() const { return blocks.size(); }
  [[nodiscard]] std::span<const ArcId> path(size_t i) const {
    return std::span<const ArcId>(arcs).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  [[nodiscard]] std::span<const uint32_t> times(size_t i) const {
    return std::span<const uint32_t>(step_of).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void generate(StepSink& sink) const;
};

}  // namespace quadrille
