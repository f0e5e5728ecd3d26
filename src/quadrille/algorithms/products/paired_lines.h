// Allgather on a mesh, one dimension after the other, round rings that are made of two lines beside each other.
//
// A line has no ring: what comes from one end goes through every node twice as often as through a ring of as many. But two lines
// beside each other (three, where the last one would be left over) are a ring. In it neighbours exchange in pairs, and of those
// who know the same from the dimensions before each sends a share. So with one port a mesh of sides a, b, .. takes a + b + .. start-ups, and
// only about 3a/2 rounds more than the N-1 that no plan does without.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/algorithms/products/neighbor_exchange.h"

namespace quadrille {

class PairedLines {
 public:
  /// Nothing where two dimensions of three nodes or more are not paths, or all sides are odd.
  [[nodiscard]] static std::optional<PairedLines> of(const Problem& problem, const CrossedLines& lines);

  [[nodiscard]] Prediction predicted(const Problem& problem) const;
  void generate(const Problem& problem, StepSink& sink) const;

 private:
  // One list over a link. Two that leave a node in one step are one message.
  struct Send {
    ArcId arc;
    uint32_t list;
  };
  class Maker;

  std::vector<std::vector<BlockId>> lists_{};
  std::vector<Send> sends_{};
  std::vector<size_t> sends_end_{};  // per step
};

}  // namespace quadrille
