// Bruck's exchange: for h = 1, 2, 4, .. every rank sends to the rank h further on all blocks whose remaining
// distance in ranks has bit h.
//
// ceil(log2 N) rounds of about N/2 blocks each, which is few start-ups, where nothing gets in the way. On a
// network a round takes several steps (packing/worm_rounds.h): 15 on a ring of 16, with 120 blocks.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/worm_rounds.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_bruck;

namespace alltoall_bruck_parts {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  WormRounds rounds(problem, sink);
  for (uint32_t h = 1; h < ranks; h *= 2) {
    std::vector<WormRounds::Worm> worms;
    for (uint32_t v = 0; v < ranks; ++v) {
      WormRounds::Worm& worm = worms.emplace_back(WormRounds::Worm{Rank{v}, Rank{(v + h) % ranks}, {}});
      for (uint32_t distance = h; distance < ranks; ++distance) {
        if ((distance & h) == 0) continue;
        // So far it has gone the lower bits of its distance.
        const uint32_t source = (v + ranks - distance % h) % ranks;
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          worm.blocks.push_back(collective.block(Rank{source}, Rank{(source + distance) % ranks}, piece));
      }
    }
    rounds.round(worms);
  }
}

// The same where paths share links, by digits of k + 1: what has digit j goes j places of it on.
RankRounds shared_rounds(const Problem& problem, uint32_t messages) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  RankRounds out;
  std::vector<BlockId> blocks;
  for (uint64_t place = 1; place < ranks; place *= messages + 1) {
    const auto h = static_cast<uint32_t>(place);
    for (uint32_t v = 0; v < ranks; ++v) {
      for (uint32_t j = 1; j <= messages && uint64_t{j} * h < ranks; ++j) {
        blocks.clear();
        for (uint32_t distance = j * h; distance < ranks; ++distance) {
          if (distance / h % (messages + 1) != j) continue;
          const uint32_t source = (v + ranks - distance % h) % ranks;
          for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
            blocks.push_back(collective.block(Rank{source}, Rank{(source + distance) % ranks}, piece));
        }
        out.send(v, (v + j * h) % ranks, blocks);
      }
    }
    out.end_round();
  }
  return out;
}

// In groups of ranks in a row, which fill the ranks: each gives the others of its group what is for their places in all groups, then
// those at its place what is for them. The first round is for those who are near.
RankRounds grouped_rounds(const Problem& problem, uint32_t group) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  RankRounds out;
  std::vector<BlockId> blocks;
  const auto add = [&](uint32_t source, uint32_t to) {
    for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
      blocks.push_back(collective.block(Rank{source}, Rank{to}, piece));
  };
  for (uint32_t v = 0; v < ranks; ++v) {
    const uint32_t first = v / group * group;
    for (uint32_t w = first; w < first + group; ++w) {
      if (w == v) continue;
      blocks.clear();
      for (uint32_t to = w % group; to < ranks; to += group) add(v, to);
      out.send(v, w, blocks);
    }
  }
  out.end_round();
  for (uint32_t v = 0; v < ranks; ++v) {
    const uint32_t first = v / group * group;
    for (uint32_t w = v % group; w < ranks; w += group) {
      if (w == v) continue;
      blocks.clear();
      for (uint32_t source = first; source < first + group; ++source) add(source, w);
      out.send(v, w, blocks);
    }
  }
  out.end_round();
  return out;
}

RankRounds rounds_of_messages(const Problem& problem, uint32_t messages) {
  return goes_in_groups(problem, messages) ? grouped_rounds(problem, messages + 1)
                                           : shared_rounds(problem, messages);
}

Applicability applies(const Problem& problem) {
  if (has_choice_of_messages(problem)) return rounds_apply(problem);
  return rounds_of_worms(problem);
}

Preparation prepared(const Problem& problem) {
  if (problem.model().switching != Switching::kShared)
    return by_measuring<measured_rounds<kMostMeasuredPackets>, generate, Effort::kLittle>(problem);
  return prepare_by_messages(problem, rounds_of_messages, true);
}

}  // namespace
}  // namespace alltoall_bruck_parts

constinit const Algorithm alltoall_bruck = {
    .name = "alltoall_bruck",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "Bruck's algorithm: ceil(log2 N) rounds of combined messages, each round packed into contention-free steps",
    .source = "baseline; Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks = "any graph, any ports; ceil(log2 N) start-ups where no worm is in another's way",
    .applies = alltoall_bruck_parts::applies,
    .prepare = alltoall_bruck_parts::prepared,
};

}  // namespace quadrille::algorithms
