// Total exchange on a Cayley graph with one port, in which the message with the longest way left goes next:
// as many steps as alltoall_cayley, the total distance of a node.
//
// All messages that have l hops left take one, then all that have l-1 left, and so on: no block arrives
// before the last N-1 steps, and in each of those all nodes get one.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relative_messages.h"
#include "quadrille/algorithms/cayley/translated_step.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_cayley_furthest_first;

namespace alltoall_cayley_furthest_first_parts {
namespace {

struct UnderWay {
  uint32_t moved;
  uint32_t left;
};

void generate(const Problem& problem, const RelativeMessages& table, StepSink& sink) {
  const Group& group = *problem.topology().cayley()->group;
  TranslatedStep step(problem, sink);
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    step.set_piece(piece);
    std::vector<std::vector<UnderWay>> by_length;
    for (uint32_t r = 1; r < group.order(); ++r) {
      by_length.resize(std::max<size_t>(by_length.size(), table.length[r] + 1));
      by_length[table.length[r]].push_back({0, r});
    }
    for (size_t l = by_length.size(); l-- > 1;) {
      for (const UnderWay& message : by_length[l]) {
        step.add(table.generator[message.left], message.moved, message.left);
        step.flush();
        const uint32_t hop = problem.topology().cayley()->generators[table.generator[message.left]];
        by_length[l - 1].push_back({group.multiply(message.moved, hop), table.rest[message.left]});
      }
      by_length[l].clear();
    }
  }
}

}  // namespace
}  // namespace alltoall_cayley_furthest_first_parts

constinit const Algorithm alltoall_cayley_furthest_first = {
    .name = "alltoall_cayley_furthest_first",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all nodes of a Cayley graph forward the same relative message, the one with the most hops left first",
    .source = "collective communication dissertation 1996, theorem 4.11",
    .remarks = "any Cayley graph, one port is enough; optimal with one port: the total distance of a node",
    .same_at_all_nodes = always,
    .applies = relative_messages_apply,
    .prepare = by_plan<relative_messages, relative_messages_prediction,
                       alltoall_cayley_furthest_first_parts::generate>,
};

}  // namespace quadrille::algorithms
