// Total exchange without any idea: every block goes its own shortest path, as soon as there is room.
//
// The baseline on any graph and in any model. With packet switching see packing/greedy/greedy_packets.h; with
// wormhole switching packing/greedy/greedy_worms.h packs the worms again and again, as long as it helps. It knows
// every block and every path, so it is for machines of up to a few thousand endpoints.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/greedy/greedy_packets.h"
#include "quadrille/algorithms/packing/greedy/greedy_worms.h"
#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_direct;

namespace alltoall_direct_parts {
namespace {

constexpr uint64_t kMostPackets = uint64_t{1} << 28U;
constexpr uint64_t kMostWorms = uint64_t{1} << 26U;

Applicability applies(const Problem& problem) {
  const bool packets = problem.model().switching == Switching::kPacket;
  const uint64_t most = packets ? kMostPackets : kMostWorms;
  const uint64_t paths = uint64_t{problem.topology().num_nodes()} * problem.topology().num_endpoints();
  const uint64_t entries = std::max<uint64_t>(paths, problem.collective().num_blocks());
  if (entries <= most) return Applicability::yes();
  return Applicability::no(
      fmt::format("it keeps every block and every next hop in memory: at most {} of them, {} has {}",
                  with_thousands(most), problem.title(), with_thousands(entries)));
}

constexpr uint64_t kManyBlocks = uint64_t{1} << 18U;
// Worms of more ranks, times steps: packed in a second, or, where nothing else is known, in five.
constexpr uint64_t kMostPacked = uint64_t{1} << 29U;
constexpr uint64_t kMostPackedAnywhere = uint64_t{1} << 31U;

void generate(const Problem& problem, StepSink& sink) {
  if (problem.model().switching == Switching::kPacket) {
    greedy_packets(problem, sink);
  } else {
    greedy_worms(problem, sink);
  }
}

uint64_t most_packed(const Topology& topology) {
  const bool has_structure =
      topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr;
  return has_structure ? kMostPacked : kMostPackedAnywhere;
}

// No two worms of a step share a link, so that they are no faster than packets on their ways.
Prediction predicted_worms(const Problem& problem, Once<MeasuredPlan>& plan) {
  const uint64_t ranks = problem.topology().num_endpoints();
  const uint64_t pieces = problem.collective().pieces();
  const bool shares = shares_arcs(problem.model());
  uint64_t rounds = shares ? shortest_ways_at_least(problem) : worm_rounds_at_least(problem);
  uint64_t steps = rounds / pieces;
  // Whatever links have room for, a port starts one message a step, and none has blocks for two.
  for (const Ports ports : {problem.model().send, problem.model().receive})
    if (!ports.unlimited()) steps = std::max<uint64_t>(steps, (ranks - 1 + ports.count - 1) / ports.count);
  const uint64_t widest = problem.topology().capacity_range().second;
  rounds = std::max(rounds, steps * ((pieces + widest - 1) / widest));
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of(steps, rounds)) return {};
  const bool is_soon_packed = is_quick_to_measure(problem, kMostMeasuredWorms) ||
                              (pieces == 1 && ranks * ranks * rounds <= most_packed(problem.topology()));
  return is_soon_packed ? plan.get().prediction() : Prediction{};
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (problem.model().switching != Switching::kPacket) return predicted_worms(problem, plan);
  if (WorthMaking::is_limited()) {
    // Greedy steps of many blocks lose more than that.
    const auto is_wanted = [&](uint64_t least) {
      if (problem.collective().num_blocks() > kManyBlocks) least += least / 64;
      return WorthMaking::is_any_of_packets(least);
    };
    if (!is_wanted(shortest_ways_at_least(problem)) || !is_wanted(greedy_packets_at_least(problem)))
      return {};
  }
  return measured_up_to<kMostMeasuredPackets>(problem, plan);
}

}  // namespace
}  // namespace alltoall_direct_parts

constinit const Algorithm alltoall_direct = {
    .name = "alltoall_direct",
    .collective = CollectiveKind::kAlltoall,
    .summary = "sends every block along one shortest path; the transfers are packed greedily into steps",
    .source = "baseline",
    .remarks = "any graph, any ports, both switchings; greedy, so no promise before the plan is made",
    .applies = alltoall_direct_parts::applies,
    .prepare = by_measuring<alltoall_direct_parts::predicted, alltoall_direct_parts::generate>,
};

}  // namespace quadrille::algorithms
