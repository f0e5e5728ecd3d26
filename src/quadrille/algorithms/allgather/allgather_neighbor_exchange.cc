// Allgather by neighbor exchange: nodes talk to one neighbour and then to the other, and pass on all that is new.
//
// Along the dimensions of a product of paths and cycles one after the other; else round a ring through all nodes, or along a walk. On
// meshes, too, round rings that are made of two lines (products/paired_lines.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/neighbor_exchange.h"
#include "quadrille/algorithms/products/paired_lines.h"
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

PreparedPlan along(const Problem& problem, CrossedLines lines, std::string member) {
  return prepared(problem, {problem, std::move(lines), LineExchange::Blocks::kOfOrigins}, std::move(member));
}

Preparation prepare(const Problem& problem) {
  const Topology& net = problem.topology();
  std::optional<CrossedLines> lines = crossed_lines(net);
  std::optional<CrossedLines> ring;
  const bool has_paths =
      lines && std::ranges::any_of(lines->dimensions, [](const auto& d) { return !d.closed && d.side > 2; });
  if (!lines || (has_paths && lines->dimensions.size() > 1)) ring = one_line(net);
  if (!lines) lines.swap(ring);
  if (!lines)
    return Preparation::no(fmt::format("no ring and no walk through all nodes of {} was found", net.name()));
  // On a mesh nodes in the middle of a line receive too much; a ring through all has few rounds, and pairs of lines have few of both.
  std::optional<PairedLines> pairs;
  if (has_paths) pairs = PairedLines::of(problem, *lines);
  const bool has_ring = ring && ring->dimensions.front().closed;
  Preparation out;
  out.plans.push_back(along(problem, *std::move(lines), pairs || has_ring ? "dimensions" : ""));
  if (pairs) {
    out.plans.push_back(kept(
        problem, *std::move(pairs),
        [](const Problem& p, const PairedLines& made) { return made.predicted(p); },
        [](const Problem& p, const PairedLines& made, StepSink& sink) { made.generate(p, sink); }, "pairs"));
  }
  if (has_ring) out.plans.push_back(along(problem, *std::move(ring), "ring"));
  return out;
}

// All pieces of a block go together.
Chunking chunks(const Problem& /*problem*/) { return {}; }

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
        "sides, about the sum of its sides on a mesh; with two ports both ways at once",
    .applies = allgather_neighbor_exchange_parts::applies,
    .chunks = allgather_neighbor_exchange_parts::chunks,
    .prepare = allgather_neighbor_exchange_parts::prepare,
};

}  // namespace quadrille::algorithms
