// Broadcast by worms on any graph: nodes merge along arc-disjoint paths, read backwards, or more and more are told, read
// forwards; see worm_broadcast/along_paths.h.
#include <fmt/format.h>

#include <memory>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/measured_once.h"
#include "quadrille/algorithms/worm_broadcast/along_paths.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_path_merging;

namespace broadcast_path_merging_parts {
namespace {

constexpr uint32_t kMostNodes = 1024;

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (!takes_paths(problem.model()))
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  if (problem.model().queue_limit) return Applicability::no("it does not say how long its queues get");
  if (topology.num_nodes() > kMostNodes) {
    return Applicability::no(
        fmt::format("it searches on up to {} nodes; {} has more", kMostNodes, topology.name()));
  }
  return Applicability::yes();
}

void generate(const Problem& problem, StepSink& sink) {
  const Collective& collective = problem.collective();
  std::vector<BlockId> blocks;
  for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
    blocks.push_back(collective.block(*collective.root(), piece));
  const std::shared_ptr<const BroadcastWorms> worms =
      broadcast_along_paths(problem.topology(), problem.topology().endpoint(*collective.root()),
                            problem.model().send, problem.model().switching == Switching::kShared);
  StepBuilder builder;
  for (const std::vector<WormPath>& step : *worms) {
    for (const WormPath& worm : step) builder.add(worm, blocks);
    builder.flush(sink);
  }
}

}  // namespace
}  // namespace broadcast_path_merging_parts

constinit const Algorithm broadcast_path_merging = {
    .name = "broadcast_path_merging",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "along paths that share no link; read backwards, all but one of every cluster of near nodes go, or, read forwards, as many as "
        "can be are told in every step, routers too, where that takes fewer steps",
    .source =
        "pairs along a tree: Farley 1980; who can be told at once: Perfect 1968; clusters and flows: ours",
    .remarks =
        "any graph of up to 1,024 nodes, any ports, half duplex too; two-way links: ceil(log_2 N) steps with one port, "
        "and where paths may share links ceil(log_(p+1) N) with p ports, optimal",
    .applies = broadcast_path_merging_parts::applies,
    .prepare = by_measuring<
        measured_once_up_to<broadcast_path_merging_parts::kMostNodes, broadcast_path_merging_parts::generate>,
        broadcast_path_merging_parts::generate, Effort::kSome>,
};

}  // namespace quadrille::algorithms
