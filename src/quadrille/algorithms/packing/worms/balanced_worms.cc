#include "quadrille/algorithms/packing/worms/balanced_worms.h"

#include <span>
#include <vector>

#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr uint64_t kPackingWork = uint64_t{1} << 25U;

// A worm uses a port at its ends alone, and as many as there are blocks whichever way they go.
Problem of_links(const Problem& problem) {
  Model model;
  model.duplex = problem.model().duplex;
  if (problem.collective().counts() != nullptr) return {problem.topology(), problem.collective(), model};
  return standard_problem(problem.topology(), CollectiveKind::kAlltoall, model);
}

}  // namespace

void balanced_worms(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
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
  packing.pack_along(worms, ways, kPackingWork);
  StepBuilder step;
  std::vector<BlockId> blocks(collective.counts() != nullptr ? 1 : collective.pieces());
  for (size_t s = 0; s < packing.num_steps(); ++s) {
    for (const uint32_t w : packing.step(s)) {
      if (collective.counts() != nullptr) {
        blocks[0] = paths.block(w);
      } else {
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks[piece] = collective.block(worms[w].from, worms[w].to, piece);
      }
      step.add(packing.path(w), blocks);
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
