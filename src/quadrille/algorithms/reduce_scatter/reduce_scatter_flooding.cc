// Reduce_scatter on any graph: the allgather by flooding, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/algorithms/reversed/flooding_backwards.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_flooding;
extern const Algorithm allgather_flooding;

namespace reduce_scatter_flooding_parts {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  flooding_backwards(allgather_flooding, problem).replay(sink);
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const bool is_wanted = plan.is_made() || !WorthMaking::is_limited() ||
                         WorthMaking::is_any_of_packets(swarm_at_least(reversed(problem)));
  return is_wanted ? measured_up_to<kMostFlooded>(problem, plan) : Prediction{};
}

}  // namespace
}  // namespace reduce_scatter_flooding_parts

constinit const Algorithm reduce_scatter_flooding = {
    .name = "reduce_scatter_flooding",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather by flooding, reversed in time and direction",
    .source = "collective communication dissertation 1996, theorem 6.9, on any graph and backwards",
    .remarks = "any graph, any ports, routers add up too; optimal on complete trees with all ports",
    .applies = can_store_flooding,
    .prepare =
        by_measuring<reduce_scatter_flooding_parts::predicted, reduce_scatter_flooding_parts::generate>,
};

}  // namespace quadrille::algorithms
