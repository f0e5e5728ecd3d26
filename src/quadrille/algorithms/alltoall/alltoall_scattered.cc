// Scattered exchange, as MPI libraries have it between pairwise and all at once: the rounds of pairwise exchange, a quarter
// of them in a step, 32 at most.
//
// A round of pairwise exchange waits for its messages' way; so many under way at once hide it, and are still few enough for
// queues, and for balancing the ways of some hundred ranks. Rounds of which each loads every link alike, as on folded Clos
// networks of full bisection, load them alike together, too.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_scattered;

namespace alltoall_scattered_parts {
namespace {

constexpr uint32_t kTogether = 32;
constexpr uint32_t kMostRanks = 512;

// Messages of a rank in a step.
uint32_t together(const Problem& problem) {
  const Model& model = problem.model();
  uint32_t out = std::clamp((problem.collective().num_ranks() + 2) / 4, 2U, kTogether);
  for (const Ports ports : {model.send, model.receive})
    if (!ports.unlimited()) out = std::min(out, ports.count);
  return out;
}

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  const uint32_t ranks = problem.collective().num_ranks();
  if (model.switching != Switching::kShared)
    return Applicability::no("messages of several rounds go at once, which takes paths that share links");
  if (together(problem) < 2) return Applicability::no("with one port it is pairwise exchange");
  if (ranks - 1 <= together(problem))
    return Applicability::no(
        fmt::format("{} messages of a node go in one step, as alltoall_linear sends them", ranks - 1));
  if (ranks > kMostRanks)
    return Applicability::no(
        fmt::format("at most {} ranks, whose ways are balanced soon; here are {}", kMostRanks, ranks));
  return rounds_apply(problem);
}

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  const uint32_t many = together(problem);
  RankRounds out;
  std::vector<BlockId> blocks(collective.pieces());
  for (uint32_t first = 1; first < ranks; first += many) {
    for (uint32_t r = first; r < std::min(first + many, ranks); ++r) {
      for (uint32_t from = 0; from < ranks; ++from) {
        const uint32_t to = std::has_single_bit(ranks) ? from ^ r : (from + r) % ranks;
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks[piece] = collective.block(Rank{from}, Rank{to}, piece);
        out.send(from, to, blocks);
      }
    }
    out.end_round();
  }
  return out;
}

Preparation prepared(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = rounds, .by_number = true}});
}

}  // namespace
}  // namespace alltoall_scattered_parts

constinit const Algorithm alltoall_scattered = {
    .name = "alltoall_scattered",
    .collective = CollectiveKind::kAlltoall,
    .summary = "rounds of pairwise exchange, up to 32 of them in a step, over paths that share links",
    .source = "baseline; scattered in MPICH",
    .remarks =
        "shared switching, up to 512 ranks; a start-up for a quarter of a node's messages, for 32, or for as many as it has ports",
    .applies = alltoall_scattered_parts::applies,
    .prepare = alltoall_scattered_parts::prepared,
};

}  // namespace quadrille::algorithms
