// Allgather by worms on any graph: steps that serve most pairs of a source and a destination, torn down and filled
// again until one can be spared; see worm_exchange/worm_gossip.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/worm_exchange/worm_gossip.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_gossip;

namespace allgather_gossip_parts {
namespace {

constexpr uint32_t kMostNodes = 128;

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (!takes_paths(problem.model()))
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  if (problem.model().queue_limit) return Applicability::no("it does not say how long its queues get");
  if (topology.num_endpoints() < 2) return Applicability::no("a single endpoint has nothing to exchange");
  if (topology.num_nodes() <= kMostNodes) return Applicability::yes();
  return Applicability::no(
      fmt::format("it searches on up to {} nodes; {} has more", kMostNodes, topology.name()));
}

void generate(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  send_gossip(problem, *gossip_along_paths(problem), sink);
}

}  // namespace
}  // namespace allgather_gossip_parts

constinit const Algorithm allgather_gossip = {
    .name = "allgather_gossip",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "a search for worms that let most sources meet most destinations, with one step less as long as it finds one",
    .source = "ours; gains that only fall: Minoux 1978",
    .remarks =
        "any graph of up to 128 nodes, any ports, half duplex too; on most networks the fewest steps of worms here",
    .is_asked_last = true,
    .applies = allgather_gossip_parts::applies,
    .prepare =
        by_measuring<measured_up_to<allgather_gossip_parts::kMostNodes>, allgather_gossip_parts::generate>,
};

}  // namespace quadrille::algorithms
