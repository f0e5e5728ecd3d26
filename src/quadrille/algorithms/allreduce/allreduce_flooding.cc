// Allreduce of many pieces on any graph: a reduce_scatter by flooding, then an allgather by flooding.
//
// The pieces are dealt out to the endpoints; each collects its own and then sends the results out.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/algorithms/reversed/flooding_backwards.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_flooding;
extern const Algorithm allgather_flooding;

namespace allreduce_flooding_parts {
namespace {

// The reduction, or the spreading, of as many blocks as the endpoint with most has pieces to look after.
Problem half(const Problem& problem, CollectiveKind kind) {
  const uint32_t pieces = (problem.collective().num_blocks() - 1) / problem.collective().num_ranks() + 1;
  return standard_problem(problem.topology(), kind, problem.model(), kNoNode, pieces);
}

// Blocks of the halves are numbered owner by owner; those beyond the pieces that there are carry nothing.
void push_existing(const Plan& plan, const Problem& problem, TransferOp op, StepSink& sink) {
  StepBuilder builder;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      if (index(step.all_blocks[t]) < problem.collective().num_blocks())
        builder.add(step.all_arcs[t], step.all_blocks[t], op);
    }
    if (!builder.empty()) builder.flush(sink);
  }
}

void generate(const Problem& problem, StepSink& sink) {
  push_existing(flooding_backwards(allgather_flooding, half(problem, CollectiveKind::kReduceScatter)),
                problem, TransferOp::kDefault, sink);
  Plan spread;
  allgather_flooding.plan_for(half(problem, CollectiveKind::kAllgather))->generate(spread);
  push_existing(spread, problem, TransferOp::kCopy, sink);
}

// What takes a moment are the halves, however many pieces there are.
Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const Problem spreads = half(problem, CollectiveKind::kAllgather);
  if (!is_quick_to_measure(spreads, kMostMeasuredPackets)) return {};
  // Both halves go packet by packet.
  if (!plan.is_made() && WorthMaking::is_limited()) {
    const Problem collects = half(problem, CollectiveKind::kReduceScatter);
    if (!WorthMaking::is_any_of_packets(swarm_at_least(spreads) + swarm_at_least(reversed(collects))))
      return {};
  }
  return plan.get().prediction();
}

}  // namespace
}  // namespace allreduce_flooding_parts

constinit const Algorithm allreduce_flooding = {
    .name = "allreduce_flooding",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather by flooding, with the pieces dealt out to the endpoints",
    .source = "collective communication dissertation 1996, theorem 6.9, on any graph, backwards and forwards",
    .remarks = "any graph, any ports, routers take part; for as many pieces as endpoints, or more",
    .applies =
        [](const Problem& problem) {
          return can_store_flooding(allreduce_flooding_parts::half(problem, CollectiveKind::kAllgather));
        },
    .prepare = by_measuring<allreduce_flooding_parts::predicted, allreduce_flooding_parts::generate>,
};

}  // namespace quadrille::algorithms
