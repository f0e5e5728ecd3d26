// Allgather by neighbor exchange: nodes talk to one neighbour and then to the other, and pass on all that is new.
//
// Along the dimensions of a product of paths and cycles one after the other; else round a ring through all nodes, or along a walk.
#include <fmt/format.h>

#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/neighbor_exchange.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_neighbor_exchange;

namespace allgather_neighbor_exchange_parts {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 26U;  // blocks at nodes

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_between_partners(problem); !fits.applies) return fits;
  const Topology& net = problem.topology();
  if (net.is_directed())
    return Applicability::no(fmt::format("neighbours talk both ways; {} is directed", net.name()));
  const uint64_t entries = uint64_t{net.num_nodes()} * problem.collective().num_blocks();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it lists every block at every node: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), problem.title(),
                                       with_thousands(entries)));
}

Preparation prepare(const Problem& problem) {
  std::optional<CrossedLines> lines = crossed_lines(problem.topology());
  if (!lines) lines = one_line(problem.topology());
  if (!lines) {
    return Preparation::no(
        fmt::format("no ring and no walk through all nodes of {} was found", problem.topology().name()));
  }
  return prepared(problem, {problem, *std::move(lines), LineExchange::Blocks::kOfOrigins});
}

}  // namespace
}  // namespace allgather_neighbor_exchange_parts

constinit const Algorithm allgather_neighbor_exchange = {
    .name = "allgather_neighbor_exchange",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "neighbours exchange in pairs, one side and then the other, all that is new; one dimension after the other",
    .source = "neighbor exchange: Chen, Zhang, Zhang and Yuan 2005; along dimensions ours",
    .remarks =
        "networks with a ring or a walk through all nodes, one port; half as many steps as the ring, d times n/2 on tori of even "
        "sides; with two ports both ways at once",
    .applies = allgather_neighbor_exchange_parts::applies,
    .prepare = allgather_neighbor_exchange_parts::prepare,
};

}  // namespace quadrille::algorithms
