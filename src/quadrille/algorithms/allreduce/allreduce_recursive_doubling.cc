// Allreduce by recursive doubling: partners at distance 1, 2, 4, .. exchange their sums. Of ranks that are no power of two
// some first add theirs to a neighbour's.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_recursive_doubling;

namespace allreduce_recursive_doubling_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return folded(collective.num_ranks(), collective.pieces(), [&](uint32_t ranks) {
    const Butterfly butterfly = doubling_butterfly(ranks);
    return butterfly_allreduce(butterfly, collective.pieces(), butterfly.rounds());
  });
}

}  // namespace
}  // namespace allreduce_recursive_doubling_parts

constinit const Algorithm allreduce_recursive_doubling = {
    .name = "allreduce_recursive_doubling",
    .collective = CollectiveKind::kAllreduce,
    .summary = "partners at distance 1, 2, 4, .. exchange their sums",
    .source = "folklore; MPI libraries for short vectors",
    .remarks =
        "any network, in as few steps as its links leave; one port; log2 p steps on complete networks of a power of two, which no plan beats; else 2 more than floor(log2 p)",
    .may_keep_order = true,
    .applies = rounds_apply,
    .prepare = placed<allreduce_recursive_doubling_parts::rounds>,
};

}  // namespace quadrille::algorithms
