// Allgather on any graph by scarce blocks first: see packing/swarms/block_swarm.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_swarm;

namespace allgather_swarm_parts {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 21U;
constexpr uint64_t kMostLooks = uint64_t{1} << 24U;  // at a block, in a step: where links are very wide

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (problem.topology().tree() != nullptr && model.duplex == Duplex::kFull && all_ports(problem).applies)
    return Applicability::no(
        "where there is one way between any two nodes, and a port for each link, cards of trees order the blocks "
        "better");
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  if (const uint64_t looks = swarm_looks(problem.topology(), problem.collective().num_blocks());
      looks > kMostLooks) {
    return Applicability::no(
        fmt::format("its links are so wide that it looks at a block {} times in a step: more than {}",
                    with_thousands(looks), with_thousands(kMostLooks)));
  }
  const uint64_t entries = uint64_t{problem.topology().num_nodes()} * problem.collective().num_blocks();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks at every block at every node again and again: at most {} of them, {} has {}",
                  with_thousands(kMostEntries), problem.title(), with_thousands(entries)));
}

Preparation prepare(const Problem& problem) {
  return prepare_if_wanted(problem, swarm_at_least, swarm_blocks);
}

}  // namespace
}  // namespace allgather_swarm_parts

constinit const Algorithm allgather_swarm = {
    .name = "allgather_swarm",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "in every step as many new blocks as can move, the scarcest ones first, by matchings of nodes and of blocks",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "any graph but trees and fat trees with all ports, any ports, half duplex, too; mostly at the bound with all ports, and close to it "
        "with few",
    .mixes_pieces = true,
    .applies = allgather_swarm_parts::applies,
    .prepare = allgather_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
