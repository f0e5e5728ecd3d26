// Broadcast of several pieces on any graph by scarce pieces first: see packing/swarms/block_swarm.h.
//
// Down one tree a node with k children needs k steps a piece. Here every piece takes its own way: as long as neighbours have
// different pieces, nearly every node receives one in every step, so that C pieces take little more than C steps. With all ports
// every node hears as fast as its own links and its place allow, where streams down trees go as fast as the slowest node hears.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_swarm;

namespace broadcast_swarm_parts {
namespace {

constexpr uint64_t kMostWork = 2'000'000'000;  // pieces looked at over all links, in all steps

Applicability fits_network(const Problem& problem) {
  const Model& model = problem.model();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (problem.collective().num_ranks() < 2) return Applicability::no("there is nobody to send to");
  return Applicability::yes();
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_network(problem);
  if (!fits.applies) return fits;
  if (problem.collective().pieces() < 2 && !problem.topology().has_routers())
    return Applicability::no(
        "it is for several pieces, or for networks with routers; one piece goes down a tree (broadcast_urgent)");
  const uint64_t work = stream_looks(problem);
  if (work <= kMostWork) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks at every piece at every node in every step: at most {} times, {} takes {}",
                  with_thousands(kMostWork), problem.title(), with_thousands(work)));
}

Chunking chunks(const Problem& problem) {
  if (!fits_network(problem).applies) return {};
  return {.unit = 1, .streams = true};
}

Preparation prepare(const Problem& problem) {
  return prepare_if_wanted(problem, swarm_at_least, swarm_blocks);
}

}  // namespace
}  // namespace broadcast_swarm_parts

constinit const Algorithm broadcast_swarm = {
    .name = "broadcast_swarm",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "in every step as many new pieces as can move, the scarcest ones first, by matchings of nodes and of pieces",
    .source =
        "ours; pieces from peer to peer: Mundinger, Weber and Weiss 2008; the greedy choice: Edmonds and "
        "Fulkerson 1965",
    .remarks =
        "any graph and ports, two pieces or more, or routers on the way; with one port a few steps above the bound on every graph "
        "without bottlenecks that was tried, with all ports at it where nodes differ in their links",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = broadcast_swarm_parts::applies,
    .chunks = broadcast_swarm_parts::chunks,
    .prepare = broadcast_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
