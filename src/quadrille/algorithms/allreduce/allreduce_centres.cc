// Allreduce by worms on large networks of any kind: sums at a few centres, which tell each other, and everybody the whole; see
// worm_exchange/few_centres.h.
//
// Who tells whom among the centres is a gossip; which sums go with it, so that each contribution is heard of once, is looked for
// (partial_sums/scheduled_sums.h). Where there are none, there are other numbers of centres; with one there is nothing to look for.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/measured_once.h"
#include "quadrille/algorithms/partial_sums/scheduled_sums.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/algorithms/worm_exchange/few_centres.h"
#include "quadrille/base/random.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_centres;

namespace allreduce_centres_parts {
namespace {

// The sums of the centres' gossip, as transfers; nothing where there are none, or others pass on what they say.
std::optional<Plan> sums_among(const Problem& problem, const CentreGossip& gossip) {
  const Topology& net = problem.topology();
  const auto number = [&](NodeId v) -> std::optional<uint32_t> {
    const auto at = std::ranges::lower_bound(gossip.centres, v);
    if (at == gossip.centres.end() || *at != v) return std::nullopt;
    return static_cast<uint32_t>(at - gossip.centres.begin());
  };
  TopologyBuilder builder("centres of " + net.name(), gossip.centres.size());
  std::map<std::pair<uint32_t, uint32_t>, bool> pairs;
  for (const std::vector<GossipWorm>& step : gossip.among) {
    for (const GossipWorm& worm : step) {
      const std::optional<uint32_t> from = number(worm.from);
      const std::optional<uint32_t> to = number(worm.to);
      if (!from || !to) return std::nullopt;
      if (!std::exchange(pairs[{*from, *to}], true)) builder.arc(NodeId{*from}, NodeId{*to});
    }
  }
  const Topology centres = builder.build();
  MessagesOfSteps messages;
  std::map<std::pair<size_t, ArcId>, const GossipWorm*> worms;
  for (const std::vector<GossipWorm>& step : gossip.among) {
    std::vector<ArcId>& arcs = messages.emplace_back();
    for (const GossipWorm& worm : step) {
      arcs.push_back(*centres.find_arc(NodeId{*number(worm.from)}, NodeId{*number(worm.to)}));
      worms[{messages.size(), arcs.back()}] = &worm;
    }
  }
  Rng rng(1);
  ScheduledSumsBudget budget;
  const std::optional<SumPlan> plan = scheduled_sums(centres, messages, budget, rng);
  if (!plan) return std::nullopt;
  const std::optional<std::vector<SumSlots>> slots = slots_of(centres, *plan);
  if (!slots) return std::nullopt;
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  Plan out;
  StepBuilder builder_of_step;
  for (uint32_t s = 1; s <= plan->steps(); ++s) {
    for (size_t m = 0; m < plan->size(); ++m) {
      const SumPlan::Message& message = plan->message(m);
      if (message.step != s) continue;
      builder_of_step.add(worms.at({s, message.arc})->path, blocks,
                          message.whole ? TransferOp::kCopy : TransferOp::kDefault, (*slots)[m]);
    }
    builder_of_step.flush(out);
  }
  return out;
}

void generate(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  StepBuilder builder;
  const auto gossips = gossips_over_centres(problem);
  for (const CentreGossip& gossip : *gossips) {
    const std::optional<Plan> among = gossip.centres.size() == 1 ? Plan{} : sums_among(problem, gossip);
    if (!among) continue;
    for (const std::vector<GossipWorm>& step : gossip.in) {
      for (const GossipWorm& worm : step) builder.add(worm.path, blocks);
      builder.flush(sink);
    }
    among->replay(sink);
    for (const std::vector<GossipWorm>& step : gossip.out) {
      for (const GossipWorm& worm : step) builder.add(worm.path, blocks, TransferOp::kCopy);
      builder.flush(sink);
    }
    return;
  }
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const uint64_t least = least_steps_over_centres(problem);
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of(least, least * problem.collective().num_blocks()))
    return {};
  return is_quick_to_measure(problem, kMostAboutCentres) ? measured_once<generate>(problem, plan)
                                                         : Prediction{};
}

}  // namespace
}  // namespace allreduce_centres_parts

constinit const Algorithm allreduce_centres = {
    .name = "allreduce_centres",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "adds up at a few nodes, which tell each other their sums, and everybody the whole, along paths that share no link",
    .source = "ours; pairs along a tree: Farley 1980",
    .remarks = "any graph of up to 1,024 nodes with links both ways, any ports, half duplex too; few steps",
    .is_asked_last = true,
    .applies = gossips_over_centres_apply,
    .prepare =
        by_measuring<allreduce_centres_parts::predicted, allreduce_centres_parts::generate, Effort::kSome>,
};

}  // namespace quadrille::algorithms
