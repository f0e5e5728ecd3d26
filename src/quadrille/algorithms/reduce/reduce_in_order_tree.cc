// Reduce up a breadth-first tree for operators that do not commute: runs of consecutive ranks, kept apart in slots.
#include <memory>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/in_order/in_order_tree.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_in_order_tree;

namespace reduce_in_order_tree_parts {
namespace {

constexpr uint64_t kMostCells = uint64_t{1} << 21U;  // pieces times nodes

Applicability applies(const Problem& problem) {
  if (problem.model().combining != Operator::kOrdered)
    return Applicability::no("it is for operators that do not commute");
  if (uint64_t{problem.topology().num_nodes()} * problem.collective().pieces() > kMostCells)
    return Applicability::no("it follows every piece at every node, and there are too many");
  return Applicability::yes();
}

Preparation prepare(const Problem& problem) {
  std::optional<Plan> plan = in_order_tree_reduce(problem);
  if (!plan) return Preparation::no("a node of its trees has more sums to keep apart than there are slots");
  MeasuredPlan measure(0);
  plan->replay(measure);
  return Preparation::of(kept(
      problem, std::pair(*std::move(plan), measure.prediction()),
      [](const Problem&, const std::pair<Plan, Prediction>& made) { return made.second; },
      [](const Problem&, const std::pair<Plan, Prediction>& made, StepSink& sink) {
        made.first.replay(sink);
      }));
}

Chunking chunks(const Problem&) { return {.unit = 1, .streams = true}; }

}  // namespace
}  // namespace reduce_in_order_tree_parts

constinit const Algorithm reduce_in_order_tree = {
    .name = "reduce_in_order_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "for operators that do not commute: runs of consecutive ranks up a breadth-first tree",
    .source = "ours",
    .remarks =
        "any network whose nodes have at most 32 runs to keep apart, any ports; as many steps as the farthest node is away on lines, meshes and tori numbered in row-major order with all ports and one piece",
    .may_keep_order = true,
    .applies = reduce_in_order_tree_parts::applies,
    .chunks = reduce_in_order_tree_parts::chunks,
    .prepare = reduce_in_order_tree_parts::prepare,
};

}  // namespace quadrille::algorithms
