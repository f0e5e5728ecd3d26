#include "quadrille/algorithms/packing/greedy/greedy_worms.h"

#include <algorithm>

#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"

namespace quadrille {
namespace {

// Work of packing, twice, after which it is good enough: a moment. Packing of more ranks takes longer, and
// gains less from more of it.
constexpr uint32_t kFew = 128;
constexpr uint64_t kBudgetOfFew = uint64_t{1} << 24U;
constexpr uint64_t kBudget = uint64_t{1} << 22U;

// A worm for each pair with all its blocks. Those of as many blocks are next to each other, so that a step is no longer
// than it need be; among them sources start with different destinations.
void counted_worms(const Problem& problem, const Counts& counts, StepSink& sink) {
  const uint32_t ranks = counts.num_ranks();
  struct Pair {
    uint32_t count;
    uint32_t turn;
    uint32_t entry;
  };
  std::vector<Pair> pairs;
  for (uint32_t i = 0; i < counts.entries().size(); ++i) {
    const Counts::Entry& e = counts.entries()[i];
    if (e.from == e.to) continue;
    const uint64_t turn = (index(e.to) + uint64_t{ranks} - index(e.from)) % ranks;
    pairs.push_back({e.count, static_cast<uint32_t>(turn), i});
  }
  std::ranges::stable_sort(pairs, [](const Pair& a, const Pair& b) {
    return a.count != b.count ? a.count > b.count : a.turn < b.turn;
  });
  std::vector<WormPacking::Worm> worms;
  for (const Pair& pair : pairs)
    worms.push_back({counts.entries()[pair.entry].from, counts.entries()[pair.entry].to});
  WormPacking packing(problem);
  packing.pack(worms, ranks <= kFew ? kBudgetOfFew : kBudget);
  StepBuilder step;
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < packing.num_steps(); ++s) {
    for (const uint32_t w : packing.step(s)) {
      blocks.clear();
      const uint32_t entry = pairs[w].entry;
      for (uint32_t b = counts.first_block(entry); b < counts.first_block(entry + 1); ++b)
        blocks.push_back(BlockId{b});
      step.add(packing.path(w), blocks);
    }
    step.flush(sink);
  }
}

}  // namespace

void greedy_worms(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  const Collective& collective = problem.collective();
  if (collective.counts() != nullptr) return counted_worms(problem, *collective.counts(), sink);
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
