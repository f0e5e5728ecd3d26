// Total exchange by worms along paths that share the work of all links.
//
// Every block gets a path, so that the busiest link has as little to do as can be found (packing/priced_paths.h); whole
// paths are then packed into steps (packing/worm_packing.h), where a worm may as well go a shortest way. A step has one
// block for a link and for a port: as many start-ups as rounds, which is what large blocks want.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/packing/worm_packing.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_balanced;

namespace alltoall_wormhole_balanced_parts {
namespace {

constexpr uint64_t kMostPairs = uint64_t{1} << 20U;
constexpr uint64_t kMostPacked = uint64_t{1} << 27U;  // pairs times steps: a second, or two
constexpr uint64_t kBudget = uint64_t{1} << 25U;      // of packing

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it is for worms that share no link");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  const uint64_t ranks = problem.topology().num_endpoints();
  if (ranks * ranks <= kMostPairs) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} pairs of ranks, {} has {}",
                                       with_thousands(kMostPairs), problem.title(),
                                       with_thousands(ranks * ranks)));
}

// A worm uses a port at its ends alone, and as many as there are blocks whichever way they go.
Problem of_links(const Problem& problem) {
  Model model;
  model.duplex = problem.model().duplex;
  return standard_problem(problem.topology(), CollectiveKind::kAlltoall, model);
}

void generate(const Problem& problem, StepSink& sink) {
  const Collective& collective = problem.collective();
  const Problem links = of_links(problem);
  const PricedPaths paths(links);
  std::vector<WormPacking::Worm> worms;
  std::vector<std::span<const ArcId>> ways;
  for (size_t i = 0; i < paths.size(); ++i) {
    const BlockId block = paths.block(i);
    worms.push_back({links.collective().origin(block), links.collective().destination(block)});
    ways.push_back(paths.path(i));
  }
  WormPacking packing(problem);
  packing.pack_along(worms, ways, kBudget);
  StepBuilder step;
  std::vector<BlockId> blocks(collective.pieces());
  for (size_t s = 0; s < packing.num_steps(); ++s) {
    for (const uint32_t w : packing.step(s)) {
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
        blocks[piece] = collective.block(worms[w].from, worms[w].to, piece);
      step.add(packing.path(w), blocks);
    }
    step.flush(sink);
  }
}

// For large blocks: whoever counts steps alone has plans of fewer.
Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (!WorthMaking::is_by_time() || problem.collective().pieces() > 1) return {};
  const uint64_t ranks = problem.topology().num_endpoints();
  const uint64_t rounds = worm_rounds_at_least(problem);
  if (!WorthMaking::is_any_of(rounds, rounds) || ranks * ranks * rounds > kMostPacked) return {};
  return plan.get().prediction();
}

}  // namespace
}  // namespace alltoall_wormhole_balanced_parts

constinit const Algorithm alltoall_wormhole_balanced = {
    .name = "alltoall_wormhole_balanced",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "worms along paths that share the work of all links, packed into steps in the best of several orders",
    .source = "ours; prices after Garg and Koenemann 2007, packing after Culberson 1992",
    .remarks =
        "any graph, any capacities and ports; for large blocks, since a step moves one of them over a link",
    .is_asked_last = true,
    .applies = alltoall_wormhole_balanced_parts::applies,
    .prepare =
        by_measuring<alltoall_wormhole_balanced_parts::predicted, alltoall_wormhole_balanced_parts::generate>,
};

}  // namespace quadrille::algorithms
