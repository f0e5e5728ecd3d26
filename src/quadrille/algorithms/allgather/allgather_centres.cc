// Allgather by worms on large networks of any kind: to a few centres, among these, and out again; see worm_exchange/few_centres.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/measured_once.h"
#include "quadrille/algorithms/worm_exchange/few_centres.h"
#include "quadrille/algorithms/worm_exchange/worm_gossip.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_centres;

namespace allgather_centres_parts {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  const auto gossips = gossips_over_centres(problem);
  const CentreGossip& best = gossips->front();
  GossipSteps steps = best.in;
  steps.insert(steps.end(), best.among.begin(), best.among.end());
  steps.insert(steps.end(), best.out.begin(), best.out.end());
  send_gossip(problem, steps, sink);
}

// On few nodes allgather_gossip finds as few steps, or fewer.
constexpr uint32_t kSearchedWhole = 32;

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (problem.topology().num_nodes() <= kSearchedWhole) return {};
  const uint64_t least = least_steps_over_centres(problem);
  // The last to be told hear of half of all blocks at least.
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of(least, problem.collective().num_blocks() / 2))
    return {};
  return is_quick_to_measure(problem, kMostAboutCentres) ? measured_once<generate>(problem, plan)
                                                         : Prediction{};
}

}  // namespace
}  // namespace allgather_centres_parts

constinit const Algorithm allgather_centres = {
    .name = "allgather_centres",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "gathers at a few nodes, which tell each other, and everybody as they were told, along paths that share no link",
    .source = "ours; pairs along a tree: Farley 1980",
    .remarks =
        "any graph of up to 1,024 nodes with links both ways, any ports, half duplex too; few steps, long messages",
    .is_asked_last = true,
    .applies = gossips_over_centres_apply,
    .prepare =
        by_measuring<allgather_centres_parts::predicted, allgather_centres_parts::generate, Effort::kSome>,
};

}  // namespace quadrille::algorithms
