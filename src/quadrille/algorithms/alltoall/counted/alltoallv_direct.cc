// Total exchange of unequal counts without any idea: every block, or with worms all blocks of a pair together, goes a
// shortest path, as soon as there is room.
//
// The baseline on any graph and in any model. With packet switching see packing/greedy/greedy_packets.h; with worms
// packing/greedy/greedy_worms.h packs a worm for each pair that has something.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/greedy/greedy_packets.h"
#include "quadrille/algorithms/packing/greedy/greedy_worms.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_direct;

namespace alltoallv_direct_parts {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 28U;
constexpr uint64_t kMostPairs = uint64_t{1} << 26U;
constexpr uint64_t kMostMeasured = uint64_t{1} << 20U;  // blocks
constexpr uint64_t kMostMeasuredPairs = uint64_t{1} << 14U;

bool goes_in_packets(const Problem& problem) { return problem.model().switching == Switching::kPacket; }

Applicability applies(const Problem& problem) {
  const uint64_t hops = uint64_t{problem.topology().num_nodes()} * problem.topology().num_endpoints();
  const uint64_t entries = std::max<uint64_t>(hops, problem.collective().num_blocks());
  const uint64_t pairs = problem.collective().counts()->entries().size();
  if (entries <= kMostEntries && (goes_in_packets(problem) || pairs <= kMostPairs))
    return Applicability::yes();
  return Applicability::no(
      fmt::format("it keeps every block and every next hop in memory: at most {} of them, {} has {}",
                  with_thousands(kMostEntries), problem.title(), with_thousands(entries)));
}

void generate(const Problem& problem, StepSink& sink) {
  if (goes_in_packets(problem)) {
    greedy_packets(problem, sink);
  } else {
    greedy_worms(problem, sink);
  }
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (goes_in_packets(problem)) {
    if (WorthMaking::is_limited() && !WorthMaking::is_any_of_packets(greedy_packets_at_least(problem)))
      return {};
    return problem.collective().num_blocks() <= kMostMeasured ? plan.get().prediction() : Prediction{};
  }
  const uint64_t pairs = problem.collective().counts()->entries().size();
  return pairs <= kMostMeasuredPairs ? plan.get().prediction() : Prediction{};
}

}  // namespace
}  // namespace alltoallv_direct_parts

constinit const Algorithm alltoallv_direct = {
    .name = "alltoallv_direct",
    .collective = CollectiveKind::kAlltoallv,
    .summary =
        "sends every block, or by worms every pair's, along one shortest path; the transfers are packed greedily",
    .source = "baseline",
    .remarks =
        "any graph, any counts, any ports, all switchings; greedy, so no promise before the plan is made",
    .applies = alltoallv_direct_parts::applies,
    .prepare = by_measuring<alltoallv_direct_parts::predicted, alltoallv_direct_parts::generate>,
};

}  // namespace quadrille::algorithms
