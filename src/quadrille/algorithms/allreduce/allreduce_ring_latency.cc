// Allreduce around a cycle in half of its length, for short vectors.
//
// Each node keeps three sums apart: its own contribution, what came from the left and what came from the right. To
// the right it sends its own and what came from the left, which there replaces what came from the left before; to
// the left the same the other way round. After floor(n/2) steps all have met all. With one port an even cycle takes no
// longer: neighbours exchange in pairs, first these, then the others in turn.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_ring_latency;

namespace allreduce_ring_latency_parts {
namespace {

constexpr uint32_t kLeft = 1;
constexpr uint32_t kRight = 2;

bool has_one_port(const Problem& problem) {
  return problem.model().send == kOnePort || problem.model().receive == kOnePort;
}

uint64_t steps(const Problem& problem) { return problem.topology().num_nodes() / 2; }

Prediction predicted(const Problem& problem) {
  Prediction out{.steps = steps(problem), .start_ups = steps(problem)};
  if (carries_many(problem.model())) {
    // Blocks go over a wide link side by side.
    const auto capacities = problem.topology().capacities();
    if (std::all_of(capacities.begin(), capacities.end(), [](uint32_t capacity) { return capacity == 1; }))
      out.critical_blocks = steps(problem) * problem.collective().num_blocks();
    if (takes_paths(problem.model())) out.critical_hops = steps(problem);
  }
  return out;
}

void generate(const Problem& problem, StepSink& sink) {
  const Topology& net = problem.topology();
  const std::vector<NodeId> cycle = *as_cycle(net);
  const size_t n = cycle.size();
  const bool in_pairs = has_one_port(problem);
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  StepBuilder step;
  // With what came from the other side; to a node's left this is its right.
  const auto send = [&](size_t from, size_t to, uint32_t other_side, uint32_t s) {
    const ArcId arc = *net.find_arc(cycle[from], cycle[to]);
    const uint32_t sums = s == 1 ? SumSlots::kAll : 1U | 1U << other_side;
    step.add({&arc, 1}, blocks, TransferOp::kCopy, {sums, other_side});
  };
  for (uint32_t s = 1; s <= steps(problem); ++s) {
    for (size_t i = 0; i < n; ++i) {
      if (in_pairs && i % 2 != s % 2) continue;
      send(i, (i + 1) % n, kLeft, s);
      // The furthest node of an even cycle is heard of from one side alone.
      if (in_pairs || n % 2 == 1 || s < steps(problem)) send((i + 1) % n, i, kRight, s);
    }
    step.flush(sink);
  }
}

Applicability applies(const Problem& problem) {
  if (!as_cycle(problem.topology()) || problem.topology().has_routers())
    return Applicability::no("needs a ring without routers");
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("needs links of full duplex");
  if (has_one_port(problem) && problem.topology().num_nodes() % 2 == 1)
    return Applicability::no("with one port it needs an even number of nodes");
  if (sends_single_packets(problem.model()) && problem.collective().pieces() > 1)
    return Applicability::no("sends single packets in one piece only");
  return Applicability::yes();
}

}  // namespace
}  // namespace allreduce_ring_latency_parts

constinit const Algorithm allreduce_ring_latency = {
    .name = "allreduce_ring_latency",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "what came from the left goes to the right and back, each with the own contribution, in three sums kept apart",
    .source = "ours; partial sums as in arXiv 2602.17254",
    .remarks = "any ring with two ports, an even one with one; optimal for one block: floor(n/2) steps",
    .applies = allreduce_ring_latency_parts::applies,
    .prepare = by_formula<allreduce_ring_latency_parts::predicted, allreduce_ring_latency_parts::generate>,
};

}  // namespace quadrille::algorithms
