// Broadcast of long messages: a scatter down a binomial tree, then an allgather.
//
// Every rank gets a part of the message from the root, and all the others from each other: 2 (p-1)/p of the message through
// a port, where a tree takes log2 p times the whole. The allgather is a member: around a ring, or by Bruck or doubling, in fewer
// rounds.
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_van_de_geijn;

namespace broadcast_van_de_geijn_parts {
namespace {

RankRounds with(const Problem& problem, const RankRounds& allgather) {
  const Collective& collective = problem.collective();
  const uint32_t each = pieces_for_each(collective.pieces(), collective.num_ranks());
  RankRounds out = knomial_scatter(collective.num_ranks(), 2, each);
  out.append(allgather, TransferOp::kDefault);
  return without_second_copies(std::move(out).without_blocks_from(collective.pieces()),
                               collective.num_ranks(), collective.pieces());
}

RankRounds with_ring(const Problem& problem) {
  const Collective& collective = problem.collective();
  return with(problem, ring_allgather(collective.num_ranks(),
                                      pieces_for_each(collective.pieces(), collective.num_ranks())));
}

RankRounds with_bruck(const Problem& problem) {
  const Collective& collective = problem.collective();
  return with(problem, bruck_allgather(collective.num_ranks(), 1,
                                       pieces_for_each(collective.pieces(), collective.num_ranks())));
}

// Of few pieces the allgather begins with as many ranks: it is a reduce read backwards.
RankRounds with_doubling(const Problem& problem) {
  const Collective& collective = problem.collective();
  return without_second_copies(halving_reduce(collective.num_ranks(), collective.pieces()).reversed(),
                               collective.num_ranks(), collective.pieces());
}

Preparation prepare(const Problem& problem) {
  return prepare_rounds(problem, {{with_bruck, "bruck"},
                                  {with_ring, "ring", false, hops_round(problem.collective().num_ranks())},
                                  {with_doubling, "doubling"}});
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace broadcast_van_de_geijn_parts

constinit const Algorithm broadcast_van_de_geijn = {
    .name = "broadcast_van_de_geijn",
    .collective = CollectiveKind::kBroadcast,
    .summary = "a scatter down a binomial tree, then an allgather around a ring, by Bruck, or by doubling",
    .source = "van de Geijn and others; the choice of MPI libraries for long messages",
    .remarks =
        "any network, in as few steps as its links leave; one port; with p pieces 2 (p-1) of them through a port on complete networks",
    .applies = rounds_apply,
    .chunks = broadcast_van_de_geijn_parts::chunks,
    .prepare = broadcast_van_de_geijn_parts::prepare,
};

}  // namespace quadrille::algorithms
