// Reduce for operators that do not commute, on any network: the binomial tree over consecutive ranks, its messages
// routed packet by packet.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/in_order/in_order_rounds.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_in_order_routed;

namespace reduce_in_order_routed_parts {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 26U;  // of the table of next hops
constexpr uint64_t kMostMessages = uint64_t{1} << 20U;

Applicability applies(const Problem& problem) {
  if (problem.model().combining != Operator::kOrdered)
    return Applicability::no("it is for operators that do not commute");
  const uint64_t ranks = problem.collective().num_ranks();
  if (ranks * problem.topology().num_nodes() > kMostEntries ||
      ranks * problem.collective().pieces() > kMostMessages)
    return Applicability::no("it keeps every next hop and every message in memory, and there are too many");
  return Applicability::yes();
}

Prediction predicted(const Problem&, Once<MeasuredPlan>& plan) { return plan.get().prediction(); }

}  // namespace
}  // namespace reduce_in_order_routed_parts

constinit const Algorithm reduce_in_order_routed = {
    .name = "reduce_in_order_routed",
    .collective = CollectiveKind::kReduce,
    .summary =
        "for operators that do not commute: a binomial tree over consecutive ranks, packet by packet along shortest paths",
    .source = "ours",
    .remarks = "any network, any numbering, any ports; partial sums wait in slots on their way",
    .may_keep_order = true,
    .applies = reduce_in_order_routed_parts::applies,
    .prepare = by_measuring<reduce_in_order_routed_parts::predicted, route_in_order_rounds>,
};

}  // namespace quadrille::algorithms
