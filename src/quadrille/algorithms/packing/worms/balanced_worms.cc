#include "quadrille/algorithms/packing/worms/balanced_worms.h"

#include <memory>
#include <span>
#include <vector>

#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
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

// More ranks than each block has a search of its own for.
constexpr uint32_t kManyRanks = 128;

bool has_many_pairs(const Problem& problem) {
  return problem.collective().counts() == nullptr && problem.model().duplex == Duplex::kFull &&
         problem.collective().num_ranks() > kManyRanks;
}

// Whose worms go along which ways.
struct WormWays {
  std::vector<WormPacking::Worm> worms{};
  std::vector<std::vector<ArcId>> ways{};
  std::vector<BlockId> blocks{};  // that are counted
};

WormWays ways_of_worms(const Problem& problem) {
  WormWays out;
  if (has_many_pairs(problem)) {
    const std::shared_ptr<const PairWays> all = ways_of_all_pairs(problem.topology());
    const uint32_t ranks = problem.collective().num_ranks();
    for (uint32_t from = 0; from < ranks; ++from) {
      for (uint32_t to = 0; to < ranks; ++to) {
        if (from == to) continue;
        out.worms.push_back({Rank{from}, Rank{to}});
        all->append(all->pair(Rank{from}, Rank{to}), out.ways.emplace_back());
      }
    }
    return out;
  }
  const Problem links = of_links(problem);
  const PricedPaths paths(links);
  for (size_t i = 0; i < paths.size(); ++i) {
    out.blocks.push_back(paths.block(i));
    out.worms.push_back(
        {links.collective().origin(paths.block(i)), links.collective().destination(paths.block(i))});
    out.ways.emplace_back(paths.path(i).begin(), paths.path(i).end());
  }
  return out;
}

}  // namespace

void balanced_worms(const Problem& problem, StepSink& sink) { balanced_worms_sharing(problem, 1, sink); }

void balanced_worms_sharing(const Problem& problem, uint32_t sharing, StepSink& sink) {
  count_work(Work::kSearching);
  const Collective& collective = problem.collective();
  const WormWays along = ways_of_worms(problem);
  const std::vector<std::span<const ArcId>> ways(along.ways.begin(), along.ways.end());
  WormPacking packing(problem, sharing);
  packing.pack_along(along.worms, ways, kPackingWork);
  StepBuilder step;
  std::vector<BlockId> blocks(collective.counts() != nullptr ? 1 : collective.pieces());
  for (size_t s = 0; s < packing.num_steps(); ++s) {
    for (const uint32_t w : packing.step(s)) {
      if (collective.counts() != nullptr) {
        blocks[0] = along.blocks[w];
      } else {
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks[piece] = collective.block(along.worms[w].from, along.worms[w].to, piece);
      }
      step.add(packing.path(w), blocks);
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
