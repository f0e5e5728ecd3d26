// Broadcast of several pieces by worms on any graph, scarce pieces first: see worm_broadcast/worm_swarm.h.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/worm_broadcast/worm_swarm.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_worm_swarm;

namespace broadcast_worm_swarm_parts {
namespace {

constexpr uint64_t kMostWork = 60'000'000;  // links looked at
// On larger networks two tries are made at once.
constexpr uint32_t kFewNodes = 128;

// Every worm looks for its way from all who have its piece.
uint64_t work_of(const Problem& problem) {
  const Topology& net = problem.topology();
  return uint64_t{problem.collective().pieces()} * net.num_endpoints() *
         (net.num_nodes() + net.num_arcs() / 4);
}

Applicability fits_network(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kWormhole)
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (model.routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  if (model.queue_limit) return Applicability::no("it does not say how long its queues get");
  if (problem.collective().num_ranks() < 2) return Applicability::no("there is nobody to send to");
  return Applicability::yes();
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_network(problem);
  if (!fits.applies) return fits;
  if (problem.collective().pieces() < 2)
    return Applicability::no("a message in one piece is for broadcast_path_merging; it is for two or more");
  const uint64_t work = work_of(problem);
  if (work <= kMostWork) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks for the way of every worm over all links: at most {} looks, {} takes {}",
                  with_thousands(kMostWork), problem.title(), with_thousands(work)));
}

Chunking chunks(const Problem& problem) {
  if (!fits_network(problem).applies) return {};
  return {.unit = 1, .streams = true};
}

uint64_t worms_of(Ports ports, uint64_t links) {
  return ports.unlimited() ? links : std::min<uint64_t>(ports.count, links);
}

// The last piece leaves after the others, and still has to reach all.
uint64_t at_least(const Problem& problem) {
  const Topology& net = problem.topology();
  const NodeId root = net.endpoint(*problem.collective().root());
  const uint64_t a_step = std::max<uint64_t>(1, worms_of(problem.model().send, kind_of(net, root).out));
  const uint64_t growth = 1 + worms_of(problem.model().send, most_links_out(net));
  uint64_t steps = (problem.collective().pieces() - 1) / a_step;
  for (uint64_t reached = 1; reached < problem.collective().num_ranks() && growth > 1; reached *= growth)
    ++steps;
  return steps;
}

Plan make(const Problem& problem, uint64_t least) {
  const Collective& collective = problem.collective();
  Plan plan;
  StepBuilder builder;
  const uint32_t at_once = problem.topology().num_nodes() > kFewNodes ? 2 : 1;
  for (const std::vector<PieceWorm>& step : swarm_by_worms(problem, least, at_once)) {
    for (const PieceWorm& worm : step) {
      const BlockId block = collective.block(*collective.root(), worm.piece);
      builder.add(worm.path, {&block, 1});
    }
    builder.flush(plan);
  }
  return plan;
}

Preparation prepare(const Problem& problem) { return prepare_if_wanted(problem, at_least, make); }

}  // namespace
}  // namespace broadcast_worm_swarm_parts

constinit const Algorithm broadcast_worm_swarm = {
    .name = "broadcast_worm_swarm",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "in every step each worm takes one piece to a node that lacks it, the scarcest pieces first, along shortest free paths",
    .source = "ours; scarcest first: Mundinger, Weber and Weiss 2008, from peer to peer",
    .remarks =
        "any graph, any ports, two pieces or more; for messages whose start-ups and transfer cost about the same, where whole "
        "messages leave most links idle and single packets take a step a hop",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = broadcast_worm_swarm_parts::applies,
    .chunks = broadcast_worm_swarm_parts::chunks,
    .prepare = broadcast_worm_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
