// Total exchange on a Cayley graph with one port, in which the message with the shortest way left goes next:
// as many steps as alltoall_cayley, the total distance of a node.
//
// A message that has started is closer than one that has not, so each goes all its way without a stop before
// the next one starts: nothing waits on the way, and a node keeps at most one foreign block.
#include <algorithm>
#include <numeric>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relative_messages.h"
#include "quadrille/algorithms/cayley/translated_step.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_cayley_closest_first;

namespace alltoall_cayley_closest_first_parts {
namespace {

void generate(const Problem& problem, const RelativeMessages& table, StepSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  std::vector<uint32_t> turn(cayley.group->order() - 1);
  std::iota(turn.begin(), turn.end(), 1U);
  std::stable_sort(turn.begin(), turn.end(),
                   [&](uint32_t a, uint32_t b) { return table.length[a] < table.length[b]; });
  TranslatedStep step(problem, sink);
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    step.set_piece(piece);
    for (const uint32_t r : turn) {
      uint32_t moved = 0;
      for (uint32_t left = r; left != 0; left = table.rest[left]) {
        step.add(table.generator[left], moved, left);
        step.flush();
        moved = cayley.group->multiply(moved, cayley.generators[table.generator[left]]);
      }
    }
  }
}

}  // namespace
}  // namespace alltoall_cayley_closest_first_parts

constinit const Algorithm alltoall_cayley_closest_first = {
    .name = "alltoall_cayley_closest_first",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all nodes of a Cayley graph forward the same relative message, the one with the fewest hops left first",
    .source = "collective communication dissertation 1996, theorem 4.11",
    .remarks =
        "any Cayley graph, one port is enough; optimal with one port: the total distance of a node; a node "
        "keeps at most one foreign block",
    .same_at_all_nodes = always,
    .applies = relative_messages_apply,
    .prepare = by_plan<relative_messages, relative_messages_prediction,
                       alltoall_cayley_closest_first_parts::generate>,
};

}  // namespace quadrille::algorithms
