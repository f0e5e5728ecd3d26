// Allgather around a ring: in every step each node passes on the block that it received in the step before.
//
// n-1 steps; with one port nothing is faster, since every node must receive n-1 blocks.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/ring_order.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_ring;

namespace allgather_ring_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  }
  if (topology.num_nodes() == 2 && problem.model().duplex == Duplex::kHalf) {
    return Applicability::no(fmt::format(
        "half duplex: the two nodes of {} would use their one link both ways in a step", topology.name()));
  }
  return Applicability::yes();
}

using Ring = std::vector<NodeId>;

Prediction predicted(const Problem& problem, const Ring&) {
  const uint64_t steps = uint64_t{problem.topology().num_nodes() - 1} * problem.collective().pieces();
  return {.steps = steps, .start_ups = steps, .busiest_link = steps};
}

void generate(const Problem& problem, const Ring& ring, StepSink& sink) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const size_t n = ring.size();
  if (n == 1) return;
  std::vector<ArcId> arcs;
  for (size_t i = 0; i < n; ++i) arcs.push_back(*topology.find_arc(ring[i], ring[(i + 1) % n]));
  // In step s the node at place i sends the block of place i-s: a window that moves over the ring twice.
  std::vector<BlockId> twice(2 * n);
  for (uint32_t piece = 0; piece < collective.pieces(); ++piece) {
    for (size_t i = 0; i < 2 * n; ++i) twice[i] = collective.block(*topology.rank(ring[i % n]), piece);
    for (size_t s = 0; s + 1 < n; ++s) {
      StepView step;
      step.all_arcs = arcs;
      step.all_blocks = std::span<const BlockId>(twice).subspan(n - s, n);
      sink.push(step);
    }
  }
}

Preparation prepare(const Problem& problem) {
  std::optional<Ring> ring = ring_order(problem.topology());
  if (ring) return Preparation::of(kept(problem, *std::move(ring), predicted, generate));
  return Preparation::no(
      fmt::format("it needs a ring through all nodes; none was found in {}", problem.topology().name()));
}

}  // namespace
}  // namespace allgather_ring_parts

constinit const Algorithm allgather_ring = {
    .name = "allgather_ring",
    .collective = CollectiveKind::kAllgather,
    .summary = "passes every block once around a Hamiltonian cycle",
    .source = "folklore; the bucket algorithm",
    .remarks = "any graph in which a ring through all nodes is found; optimal with one port (n-1 steps)",
    .applies = allgather_ring_parts::applies,
    .prepare = allgather_ring_parts::prepare,
};

}  // namespace quadrille::algorithms
