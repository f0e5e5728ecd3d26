#include "quadrille/algorithms/packing/greedy_worms.h"

#include "quadrille/algorithms/packing/worm_packing.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// Work of packing, twice, after which it is good enough: a moment. Packing of more ranks takes longer, and
// gains less from more of it.
constexpr uint32_t kFew = 128;
constexpr uint64_t kBudgetOfFew = uint64_t{1} << 24U;
constexpr uint64_t kBudget = uint64_t{1} << 22U;

}  // namespace

void greedy_worms(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  std::vector<WormPacking::Worm> worms;
  // Sources start with different destinations: s+1, s+2, ... among those equally far away.
  for (uint32_t s = 0; s < ranks; ++s) {
    for (uint32_t i = 1; i < ranks; ++i) worms.push_back({Rank{s}, id_at<Rank>((uint64_t{s} + i) % ranks)});
  }
  WormPacking packing(problem);
  packing.pack(worms, ranks <= kFew ? kBudgetOfFew : kBudget);
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

}  // namespace quadrille
