// The quickest scatter of any graph, by maximum flow in the time-expanded graph.
//
// The time-expanded graph of T steps has a copy of every node for the beginning of each step and one for the
// end. A block that waits goes from a copy of its node to the next one, without limit; a block that is sent
// over an arc in a step goes from the copy of its tail before the step to the copy of its head after it, and
// as many can as the arc has capacity. From a destination's copies as many blocks leave as it must have.
// Which block is which does not matter until the end: all start at the root, and whatever blocks a flow
// brings to the destinations can be named backwards from there; a block that comes back to where it was waits
// there instead. So T steps are enough if and only if a flow
// of all blocks exists.
//
// Limited ports are gates of that capacity between a node's copy and its arcs. Half-duplex links lose
// nothing: two blocks that would pass each other on a link may as well both stay.
//
//     const QuickestScatter quickest = quickest_scatter(problem);   // quickest.steps is the optimum
//     scatter_quickly(problem, quickest, sink);
//
// The size of the flow network is steps x (arcs + nodes): see kMostFlowArcs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

struct QuickestScatter {
  /// Blocks that go over an arc in a step.
  struct Use {
    ArcId arc{};
    uint32_t blocks = 0;
  };
  uint64_t steps = 0;
  std::vector<Use> uses;           ///< in order of the steps
  std::vector<uint64_t> uses_end;  ///< per step
};

/// Steps x (arcs + nodes) of the flows that quickest_scatter may have to solve, about: as many steps as links and ports need, and
/// the farthest is hops away.
[[nodiscard]] uint64_t flow_arcs_of_scatter(const Problem& problem);
/// Up to this a flow takes about a second and half a gigabyte.
inline constexpr uint64_t kMostFlowArcs = 2'000'000;

/// Steps that no scatter by packet switching does without, known in a moment.
[[nodiscard]] uint64_t least_steps_of_scatter(const Problem& problem);
/// Only for scatter by packet switching.
[[nodiscard]] QuickestScatter quickest_scatter(const Problem& problem);
/// Its steps, where no flow is needed to know them: a breadth-first tree is as quick as possible.
[[nodiscard]] std::optional<uint64_t> known_steps_of_quickest_scatter(const Problem& problem);
void scatter_quickly(const Problem& problem, const QuickestScatter& quickest, StepSink& sink);

}  // namespace quadrille
