// Broadcast of long messages: a scatter down a binomial tree, then an allgather.
//
// Every rank gets a part of the message from the root, and all the others from each other: 2 (p-1)/p of the message through
// a port, where a tree takes log2 p times the whole. The allgather is a member: around a ring, or by Bruck or doubling, in fewer
// rounds; where paths share links, by Bruck in two.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_van_de_geijn;

namespace broadcast_van_de_geijn_parts {
namespace {

RankRounds with(const Problem& problem, const RankRounds& allgather, uint32_t radix = 2) {
  const Collective& collective = problem.collective();
  const uint32_t each = pieces_for_each(collective.pieces(), collective.num_ranks());
  RankRounds out = knomial_scatter(collective.num_ranks(), radix, each);
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

// Few rounds of many messages each: to every rank its part at once, where there are ports for it, then an allgather in two rounds.
RankRounds with_messages(const Problem& problem) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks(), messages = messages_of_two_rounds(ranks);
  return with(problem, allgather_by_messages(problem, messages, pieces_for_each(collective.pieces(), ranks)),
              problem.model().send.unlimited() ? flat_radix(problem) : messages + 1);
}

// Of few pieces the allgather begins with as many ranks: it is a reduce read backwards.
RankRounds with_doubling(const Problem& problem) {
  const Collective& collective = problem.collective();
  return without_second_copies(halving_reduce(collective.num_ranks(), collective.pieces()).reversed(),
                               collective.num_ranks(), collective.pieces());
}

Preparation prepare(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  std::vector<RoundsMember> members{{with_bruck, "bruck"},
                                    {.rounds = with_ring,
                                     .name = "ring",
                                     .least_steps = hops_round(problem),
                                     .outline = scatter_and_ring_outline},
                                    {with_doubling, "doubling"}};
  if (has_choice_of_messages(problem))
    members.push_back({with_messages, fmt::format("{}-messages", messages_of_two_rounds(ranks))});
  return prepare_rounds(problem, std::move(members));
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
