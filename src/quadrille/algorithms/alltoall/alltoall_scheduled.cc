// Scheduled exchange: every pair's message by itself, over links that are shared, with few ports.
//
// As pairwise exchange has it a rank sends to one other in a step, and receives from one, or as many as it has ports; but who
// sends to whom when is chosen, and which way, so that in each step few messages meet on a link: paths that share the work of all
// links (packing/pair_ways.h, packing/priced/priced_paths.h) are packed into steps that have room for some on each link. With room for what the
// busiest link has to carry in as many steps as ports need, there are hardly more steps than these; with less there are more, and
// fewer messages in a row. Members have the name of that room.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/worms/balanced_worms.h"
#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/algorithms/placed_ranks/routed/rounds_meter.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/plan.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_scheduled;

namespace alltoall_scheduled_parts {
namespace {

constexpr uint64_t kMostPairs = uint64_t{1} << 20U;
constexpr uint64_t kMostPacked = uint64_t{1} << 27U;  // pairs times steps: a second, or two

// Messages of a rank in a step.
uint32_t ports_of(const Problem& problem) {
  uint32_t out = problem.collective().num_ranks() - 1;
  for (const Ports ports : {problem.model().send, problem.model().receive})
    if (!ports.unlimited()) out = std::min(out, ports.count);
  return out;
}

uint64_t fewest_steps(const Problem& problem) {
  const uint64_t others = problem.collective().num_ranks() - 1;
  const uint64_t ports = ports_of(problem);
  return (others + ports - 1) / ports;
}

Applicability applies(const Problem& problem) {
  const uint64_t ranks = problem.collective().num_ranks();
  if (problem.model().switching != Switching::kShared)
    return Applicability::no("its messages take paths that share links");
  if (ranks < 3 || ports_of(problem) >= ranks - 1)
    return Applicability::no("all messages of a node go in one step, as alltoall_linear sends them");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its messages take any path, and the routing is restricted");
  if (ranks * ranks <= kMostPairs) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every message: at most {} pairs of ranks, {} has {}",
                                       with_thousands(kMostPairs), problem.title(),
                                       with_thousands(ranks * ranks)));
}

struct Made {
  Plan plan{};
  Prediction prediction{};
};

PreparedPlan member(const Problem& problem, uint32_t room) {
  const auto make = [room](const Problem& p) {
    Made out;
    RoundsMeter meter(p, out.plan);
    balanced_worms_sharing(p, room, meter);
    out.prediction = meter.prediction();
    return out;
  };
  const auto predicted = [](const Problem& p, Once<Made>& made) -> Prediction {
    if (made.is_made()) return made.get().prediction;
    // Whoever counts steps alone has plans of fewer.
    if (WorthMaking::is_limited() && !WorthMaking::is_by_time()) return {};
    const uint64_t steps = fewest_steps(p);
    const uint64_t ranks = p.collective().num_ranks();
    if (WorthMaking::is_limited() && ranks * ranks * steps > kMostPacked) return {};
    return WorthMaking::is_any_of(steps, worm_rounds_at_least(p)) ? made.get().prediction : Prediction{};
  };
  const auto generate = [](const Problem&, const Made& made, StepSink& sink) { made.plan.replay(sink); };
  return sharing(problem, make, predicted, generate, Effort::kMuch, fmt::format("{}", room));
}

// What the busiest link has to carry is known once there are paths; by distances at least so much in each of the fewest steps.
Preparation prepared(const Problem& problem) {
  Preparation out{Applicability::yes(), {}};
  const uint64_t steps = fewest_steps(problem);
  const uint64_t least = (worm_rounds_at_least(problem) / problem.collective().pieces() + steps - 1) / steps;
  for (const uint64_t room : {least, 2 * least, 4 * least, 8 * least}) {
    if (room == 1) continue;  // alltoall_wormhole_balanced
    out.plans.push_back(member(problem, static_cast<uint32_t>(std::min<uint64_t>(room, UINT32_MAX))));
  }
  return out;
}

}  // namespace
}  // namespace alltoall_scheduled_parts

constinit const Algorithm alltoall_scheduled = {
    .name = "alltoall_scheduled",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "every pair's message by itself, in steps in which few meet on a link and nodes use the ports they have",
    .source = "ours; packing after Culberson 1992",
    .remarks =
        "shared switching, fewer ports than other ranks, up to 1,024 ranks; where links have room hardly more start-ups than a node has partners for each "
        "port; a member is named after how many messages a link has room for in a step",
    .is_asked_last = true,
    .applies = alltoall_scheduled_parts::applies,
    .prepare = alltoall_scheduled_parts::prepared,
};

}  // namespace quadrille::algorithms
