// Total exchange with one port or two by neighbor exchange along each dimension: all blocks that have the same way in a dimension
// go together, and neighbours talk in pairs, one side and then the other.
//
// On a torus of even sides as many start-ups as the diameter and no more rounds than the total distance of a node, which are the
// least of both with one port; on a hypercube it is the standard exchange, dimension by dimension.
#include <fmt/format.h>

#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/products/neighbor_exchange.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_neighbor_exchange;

namespace alltoall_neighbor_exchange_parts {
namespace {

constexpr uint64_t kMostHops = uint64_t{1} << 26U;  // of all blocks
constexpr uint64_t kMostBlocks = uint64_t{1} << 22U;

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_between_partners(problem); !fits.applies) return fits;
  const Topology& net = problem.topology();
  if (problem.collective().num_blocks() > kMostBlocks) {
    return Applicability::no(fmt::format("it lists every block: at most {} of them, {} has {}",
                                         with_thousands(kMostBlocks), problem.title(),
                                         with_thousands(problem.collective().num_blocks())));
  }
  if (crossed_lines(net)) return Applicability::yes();
  return Applicability::no(
      fmt::format("it goes along lines: {} is not known to be a torus or a mesh", net.name()));
}

Preparation prepare(const Problem& problem) {
  const uint64_t hops = hops_of_all_pairs(problem.topology()) * problem.collective().pieces();
  if (hops > kMostHops) {
    return Preparation::no(fmt::format("its blocks take {} hops on {}, it lists up to {}",
                                       with_thousands(hops), problem.topology().name(),
                                       with_thousands(kMostHops)));
  }
  return Preparation::of(prepared(problem, NeighborExchange(problem, *crossed_lines(problem.topology()),
                                                            LineExchange::Blocks::kOfPairs)));
}

}  // namespace
}  // namespace alltoall_neighbor_exchange_parts

constinit const Algorithm alltoall_neighbor_exchange = {
    .name = "alltoall_neighbor_exchange",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "neighbours exchange in pairs, one side and then the other, blocks that have the same way together, dimension by dimension",
    .source = "ours; on hypercubes the standard exchange, Johnsson and Ho 1989",
    .remarks =
        "tori, meshes and hypercubes, one port; on tori of even sides both as many start-ups as the diameter and the fewest rounds; "
        "with two ports both ways at once",
    .applies = alltoall_neighbor_exchange_parts::applies,
    .prepare = alltoall_neighbor_exchange_parts::prepare,
};

}  // namespace quadrille::algorithms
