// Allgather around a ring: in every step each node passes on the block that it received in the step before.
//
// n-1 steps; with one port nothing is faster by packets, since every node must receive n-1 blocks. Where a transfer may
// carry many blocks, all pieces of a block go together.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/ring_order.h"
#include "quadrille/topology/queries/link_counts.h"

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
  const uint64_t hops = problem.topology().num_nodes() - 1;
  const uint64_t blocks = hops * problem.collective().pieces();
  const uint64_t steps = carries_many(problem.model()) ? hops : blocks;
  Prediction out{.steps = steps, .start_ups = steps, .busiest_link = blocks};
  if (!shares_arcs(problem.model()) || !has_wide_arcs(problem.topology())) out.critical_blocks = blocks;
  return out;
}

void generate(const Problem& problem, const Ring& ring, StepSink& sink) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const size_t n = ring.size();
  if (n == 1) return;
  std::vector<ArcId> arcs;
  for (size_t i = 0; i < n; ++i) arcs.push_back(*topology.find_arc(ring[i], ring[(i + 1) % n]));
  // In step s the node at place i sends the block of place i-s: a window that moves over the ring twice.
  const uint32_t together = carries_many(problem.model()) ? collective.pieces() : 1;
  std::vector<BlockId> twice(2 * n * together);
  std::vector<uint32_t> arcs_end(together > 1 ? n : 0);
  std::vector<uint32_t> blocks_end(arcs_end.size());
  for (uint32_t i = 0; i < arcs_end.size(); ++i) {
    arcs_end[i] = i + 1;
    blocks_end[i] = (i + 1) * together;
  }
  for (uint32_t first = 0; first < collective.pieces(); first += together) {
    for (size_t i = 0; i < twice.size(); ++i) {
      const Rank rank = *topology.rank(ring[i / together % n]);
      twice[i] = collective.block(rank, first + static_cast<uint32_t>(i % together));
    }
    for (size_t s = 0; s + 1 < n; ++s) {
      StepView step;
      step.all_arcs = arcs;
      step.all_blocks = std::span<const BlockId>(twice).subspan((n - s) * together, n * together);
      step.arcs_end = arcs_end;
      step.blocks_end = blocks_end;
      sink.push(step);
    }
  }
}

Preparation prepare(const Problem& problem) {
  // Of an outline nobody wants to see the ring.
  if (problem.topology().is_outline() && has_product_ring(*problem.topology().product()))
    return Preparation::of(kept(problem, Ring{}, predicted, generate));
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
    .counts_alone = true,
    .applies = allgather_ring_parts::applies,
    .prepare = allgather_ring_parts::prepare,
};

}  // namespace quadrille::algorithms
