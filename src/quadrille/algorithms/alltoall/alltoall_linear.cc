// Linear, as MPI libraries have it: every rank posts all that it sends at once. One step, where paths may share links, on
// paths that share the work of the links (packing/priced_paths.h).
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_linear;

namespace alltoall_linear_parts {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const PricedPaths paths(problem);
  StepBuilder step;
  for (size_t i = 0; i < paths.size(); ++i) {
    const BlockId block = paths.block(i);
    step.add(paths.path(i), {&block, 1});
  }
  if (!step.empty()) step.flush(sink);
}

}  // namespace
}  // namespace alltoall_linear_parts

constinit const Algorithm alltoall_linear = {
    .name = "alltoall_linear",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "every rank sends its block to each other one in one step, over paths that share the work of the links",
    .source = "baseline; linear in Open MPI",
    .remarks = "shared switching, N-1 ports, up to some 250 ranks; one start-up, N-1 messages of each node",
    .applies = all_at_once_apply,
    .prepare =
        by_measuring<measured_up_to<kMostMeasuredWorms>, alltoall_linear_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
