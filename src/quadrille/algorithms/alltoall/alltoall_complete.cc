// Total exchange on a complete graph: with k ports every node sends to k others in a step, to those that come
// after it at the same k distances for all nodes; ceil((n-1)/k) steps, one with all ports.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_complete;

namespace alltoall_complete_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  if (is_complete(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format("it needs a complete graph; {} is none", problem.topology().name()));
}

uint64_t ports_of(const Problem& problem) {
  uint64_t ports = problem.topology().num_nodes() - 1;
  if (!problem.model().send.unlimited()) ports = std::min<uint64_t>(ports, problem.model().send.count);
  if (!problem.model().receive.unlimited()) ports = std::min<uint64_t>(ports, problem.model().receive.count);
  return ports;
}

Prediction predicted(const Problem& problem) {
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t messages = (uint64_t{problem.topology().num_nodes()} - 1) * pieces;
  if (messages == 0) return {.steps = 0, .start_ups = 0, .busiest_link = 0};
  const uint64_t steps = (messages + ports_of(problem) - 1) / ports_of(problem);
  return {.steps = steps, .start_ups = steps, .busiest_link = pieces};
}

// The distances come round once per piece, so any k in a row are different links.
void generate(const Problem& problem, StepSink& sink) {
  const Topology& topology = problem.topology();
  const uint32_t n = topology.num_nodes();
  const uint64_t messages = (uint64_t{n} - 1) * problem.collective().pieces();
  StepBuilder step;
  for (uint64_t first = 0; first < messages; first += ports_of(problem)) {
    for (uint64_t m = first; m < std::min(messages, first + ports_of(problem)); ++m) {
      const auto piece = static_cast<uint32_t>(m / (n - 1));
      const auto distance = static_cast<uint32_t>(m % (n - 1)) + 1;
      for (uint32_t v = 0; v < n; ++v) {
        const uint32_t w = v < n - distance ? v + distance : v - (n - distance);
        step.add(topology.arcs_from(NodeId{v})[w < v ? w : w - 1],
                 problem.collective().block(Rank{v}, Rank{w}, piece));
      }
    }
    step.flush(sink);
  }
}

}  // namespace
}  // namespace alltoall_complete_parts

constinit const Algorithm alltoall_complete = {
    .name = "alltoall_complete",
    .collective = CollectiveKind::kAlltoall,
    .summary = "sends every block directly to its destination, each port serving a different distance",
    .source = "folklore",
    .remarks = "complete graphs, k ports; optimal: (n-1)/k steps, rounded up",
    .counts_alone = true,
    .applies = alltoall_complete_parts::applies,
    .prepare = by_formula<alltoall_complete_parts::predicted, alltoall_complete_parts::generate>,
};

}  // namespace quadrille::algorithms
