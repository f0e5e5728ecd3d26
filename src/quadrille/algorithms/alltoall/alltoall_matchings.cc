// Total exchange with one port on any graph, one matching of senders and receivers a step.
//
// First the paths: as many detours around the busiest nodes as it takes that none has much more to pass on
// than others (packing/spread_routes.h). Then the steps: nodes that have most left are never left out if
// that can be helped (packing/matched_packets.h). Where the network is a tree there is one path for each block,
// and only the steps matter.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/matched_packets.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/spread_routes.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_matchings;

namespace alltoall_matchings_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 18U;
// On a network without a structure nothing else comes close.
constexpr uint64_t kMostBlocksOfPlain = uint64_t{1} << 20U;

uint64_t most_blocks(const Topology& topology) {
  const bool has_structure =
      topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr;
  return has_structure ? kMostBlocks : kMostBlocksOfPlain;
}

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  if (model.send != kOnePort && model.receive != kOnePort) {
    return Applicability::no(
        fmt::format("it uses one port of a node in a step, and {} may use more", describe(model)));
  }
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  if (problem.collective().num_blocks() <= most_blocks(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it follows every block: at most {} of them ({} on a network without a structure), {} has {}",
      with_thousands(kMostBlocks), with_thousands(kMostBlocksOfPlain), problem.title(),
      with_thousands(problem.collective().num_blocks())));
}

Plan plan_of(const Problem& problem, uint64_t) {
  return matched_packets(problem, SpreadRoutes(problem.topology()));
}

Preparation prepared(const Problem& problem) { return prepare_if_wanted(problem, paths_at_least, plan_of); }

}  // namespace
}  // namespace alltoall_matchings_parts

constinit const Algorithm alltoall_matchings = {
    .name = "alltoall_matchings",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "every step a matching that leaves out no node with much to do, over paths that spread the load",
    .source = "ours; matchings after Mendelsohn and Dulmage 1958",
    .remarks =
        "any graph, one port; on networks without a structure, and on trees, mostly the shortest plan here",
    .applies = alltoall_matchings_parts::applies,
    .prepare = alltoall_matchings_parts::prepared,
};

}  // namespace quadrille::algorithms
