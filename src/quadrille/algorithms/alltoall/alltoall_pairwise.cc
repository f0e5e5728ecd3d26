// Pairwise exchange: in round r every rank sends to the rank whose number is its own XOR r (or, if the ranks
// are no power of two, its own plus r) the one block that is for it.
//
// The textbook exchange for crossbars, in N-1 rounds. On a network where worms get in each other's way a
// round takes several steps (packing/worms/worm_rounds.h): a baseline.
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/worms/worm_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_pairwise;

namespace alltoall_pairwise_parts {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  WormRounds rounds(problem, sink);
  for (uint32_t r = 1; r < ranks; ++r) {
    std::vector<WormRounds::Worm> worms;
    for (uint32_t s = 0; s < ranks; ++s) {
      const Rank from{s};
      const Rank to{std::has_single_bit(ranks) ? s ^ r : (s + r) % ranks};
      WormRounds::Worm& worm = worms.emplace_back(WormRounds::Worm{from, to, {}});
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
        worm.blocks.push_back(collective.block(from, to, piece));
    }
    rounds.round(worms);
  }
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const uint32_t rounds = problem.collective().num_ranks() - 1;
  if (!plan.is_made() && WorthMaking::is_limited() && !WorthMaking::is_any_of(rounds, rounds)) return {};
  return measured_rounds<kMostMeasuredWorms>(problem, plan);
}

}  // namespace
}  // namespace alltoall_pairwise_parts

constinit const Algorithm alltoall_pairwise = {
    .name = "alltoall_pairwise",
    .collective = CollectiveKind::kAlltoall,
    .summary = "N-1 rounds of pairwise exchange, each round packed into contention-free steps",
    .source = "baseline",
    .remarks =
        "any graph, any ports; as many start-ups as blocks on the critical path: N-1, as on a crossbar, on folded Clos "
        "networks of full bisection",
    .applies = rounds_of_worms,
    .prepare =
        by_measuring<alltoall_pairwise_parts::predicted, alltoall_pairwise_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
