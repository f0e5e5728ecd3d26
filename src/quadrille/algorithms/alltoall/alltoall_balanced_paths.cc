// Total exchange on any graph: paths that share the work of links and ports, then the steps.
//
// First every block gets a path (packing/priced/priced_paths.h), so that the busiest link or port has as little to do
// as can be found: of equal ways over switches each takes its part, and detours are taken where they pay. Then
// the hops are packed into steps (packing/path_schedule.h). Where links are the limit, there mostly are no more steps than
// the busiest link has blocks.
#include <fmt/format.h>

#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/folded_clos_shape.h"
#include "quadrille/algorithms/packing/balanced_timetable.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/faults/faulty_origin.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_balanced_paths;

namespace alltoall_balanced_paths_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 18U;
// On a large network that has no structure, and no other good plan, it may take its time.
constexpr uint64_t kMostBlocksOfLarge = uint64_t{1} << 24U;
constexpr uint64_t kMostBlocksOfFewPorts = uint64_t{1} << 20U;
// Larger products that have lost a link or a node keep the plan of the whole (alltoall_repaired).
constexpr uint32_t kMostNodesOfFaulty = 1024;

bool is_better_repaired(const Topology& topology) {
  if (topology.num_nodes() <= kMostNodesOfFaulty) return false;
  const std::optional<FaultyOrigin> origin = faulty_origin(topology);
  return origin && origin->whole.product() != nullptr;
}

// With one port there is a faster card that comes as near its bound (alltoall_matchings).
bool is_served_by_matchings(const Problem& problem) {
  return problem.model().send == Ports{1} && problem.model().receive == Ports{1};
}

uint64_t most_blocks(const Problem& problem) {
  const Topology& topology = problem.topology();
  const bool has_structure =
      topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr;
  const bool all_ports = problem.model().send.unlimited() && problem.model().receive.unlimited();
  if (has_structure || problem.collective().pieces() > 1 ||
      problem.collective().num_blocks() <= kMostBlocks || folded_clos_shape(topology) ||
      is_better_repaired(topology) || is_served_by_matchings(problem))
    return kMostBlocks;
  return all_ports ? kMostBlocksOfLarge : kMostBlocksOfFewPorts;
}

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  const uint64_t most = most_blocks(problem);
  if (problem.collective().num_blocks() <= most) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it follows every block: at most {} of them ({} with all ports on a network without a structure, {} there with some, "
      "but more than one), {} has {}",
      with_thousands(kMostBlocks), with_thousands(kMostBlocksOfLarge), with_thousands(kMostBlocksOfFewPorts),
      problem.title(), with_thousands(problem.collective().num_blocks())));
}

}  // namespace
}  // namespace alltoall_balanced_paths_parts

constinit const Algorithm alltoall_balanced_paths = {
    .name = "alltoall_balanced_paths",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "paths that share the work of all links and ports, packed into steps in the best of several orders",
    .source = "ours; prices after Garg and Koenemann 2007",
    .remarks =
        "any graph, any capacities and ports; on networks without a structure mostly within a few per cent of the bound",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = alltoall_balanced_paths_parts::applies,
    .prepare = on_balanced_paths,
};

}  // namespace quadrille::algorithms
