// Bruck's exchange: for h = 1, 2, 4, .. every rank sends to the rank h further on all blocks whose remaining
// distance in ranks has bit h.
//
// ceil(log2 N) rounds of about N/2 blocks each, which is few start-ups, where nothing gets in the way. On a
// network a round takes several steps (packing/worms/worm_rounds.h): 15 on a ring of 16, with 120 blocks. On folded Clos networks that
// block no permutation, and with few ports where links are shared, there are members of more start-ups and fewer rounds, too
// (cayley/relay_sequences.h), by the name of their start-ups; with ranks in random order, so that no shift goes over one link.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relay_sequences.h"
#include "quadrille/algorithms/fat_trees/folded_clos_shape.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/measured_once.h"
#include "quadrille/algorithms/packing/worms/worm_rounds.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"
#include "quadrille/base/random.h"

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

// Whether all ranks can send to those that are so much further on at once, however much that is.
bool blocks_no_shift(const Topology& topology) {
  if (!topology.has_routers()) return false;
  const std::optional<FoldedClosShape> clos = folded_clos_shape(topology);
  return clos && !clos->first_blocking_level();
}

// Whether ways are to be balanced; of one message a rank they need not be where no round has any in another's way.
bool shares_ways(const Problem& problem) {
  return problem.model().switching == Switching::kShared &&
         (has_choice_of_messages(problem) || !blocks_no_shift(problem.topology()));
}

Applicability applies(const Problem& problem) {
  return shares_ways(problem) ? rounds_apply(problem) : rounds_of_worms(problem);
}

// By displacements that need more start-ups and fewer rounds: what has to go d on takes the hops of a sequence that lead there.
// The rank at place v is the one whose number stands there.
RankRounds rounds_of_sequence(const Problem& problem, const RelaySequence& sequence,
                              const std::vector<uint32_t>& numbers) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  const std::vector<uint32_t> hops = relay_hops_of_ranks(ranks, sequence);
  std::vector<uint32_t> gone(ranks, 0);
  RankRounds out;
  std::vector<BlockId> blocks;
  for (size_t t = 0; t < sequence.steps.size(); ++t) {
    const auto takes = [&](uint32_t distance, uint32_t generator) {
      return hops[distance * sequence.steps.size() + t] == generator + 1;
    };
    for (const uint32_t generator : sequence.steps[t]) {
      for (uint32_t v = 0; v < ranks; ++v) {
        blocks.clear();
        for (uint32_t distance = 1; distance < ranks; ++distance) {
          if (!takes(distance, generator)) continue;
          const uint32_t source = (v + ranks - gone[distance]) % ranks;
          for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
            blocks.push_back(
                collective.block(Rank{numbers[source]}, Rank{numbers[(source + distance) % ranks]}, piece));
        }
        out.send(numbers[v], numbers[(v + generator + 1) % ranks], blocks);
      }
    }
    for (uint32_t distance = 1; distance < ranks; ++distance) {
      const uint32_t hop = hops[distance * sequence.steps.size() + t];
      gone[distance] = (gone[distance] + hop) % ranks;
    }
    out.end_round();
  }
  return out;
}

constexpr uint32_t kFewestRelayed = 8;
constexpr uint32_t kMostRelayed = 512;
constexpr size_t kMostMembers = 4;

std::vector<uint32_t> numbers_of(uint32_t ranks, bool shuffled) {
  std::vector<uint32_t> out(ranks);
  std::iota(out.begin(), out.end(), 0U);
  if (shuffled) Rng(1).shuffle(out);
  return out;
}

// Where ways are shared and not all alike, a shift by so many ranks may take many messages over one link, and hardly does where ranks are
// numbered at random (Valiant 1982).
bool may_be_shuffled(const Problem& problem) {
  const Topology& topology = problem.topology();
  return !blocks_no_shift(topology) && (topology.has_routers() || topology.cayley() == nullptr);
}

// With all ports few start-ups leave as many rounds.
bool shares_few_ports(const Model& model) {
  return model.switching == Switching::kShared && !(model.send.unlimited() && model.receive.unlimited());
}

// Some of them, from a few start-ups more than Bruck's to the fewest rounds.
void add_relayed(const Problem& problem, Preparation& out) {
  const uint32_t ranks = problem.collective().num_ranks();
  const uint32_t messages = busy_ports(problem);
  if (ranks < kFewestRelayed || ranks > kMostRelayed) return;
  if (!blocks_no_shift(problem.topology()) && !shares_few_ports(problem.model())) return;
  if (messages + 1 >= ranks || goes_in_groups(problem, messages)) return;
  const RelaySequences found = relay_sequences_of_ranks(ranks, messages);
  if (found->empty()) return;
  std::vector<RoundsMember> members;
  const size_t last = found->size() - 1;
  for (size_t i = 1; i <= std::min(last, kMostMembers); ++i) {
    const size_t at = last <= kMostMembers ? i : i * last / kMostMembers;
    const RelaySequence& sequence = (*found)[at];
    for (const bool shuffled : {false, true}) {
      if (shuffled && !may_be_shuffled(problem)) continue;
      members.push_back({.rounds =
                             [found, at, shuffled](const Problem& p) {
                               return rounds_of_sequence(p, (*found)[at],
                                                         numbers_of(p.collective().num_ranks(), shuffled));
                             },
                         .name = fmt::format("{}{}", sequence.start_ups(), shuffled ? "-shuffled" : ""),
                         .by_number = true,
                         .least_steps = sequence.start_ups()});
    }
  }
  Preparation more = prepare_rounds(problem, std::move(members));
  std::ranges::move(more.plans, std::back_inserter(out.plans));
}

Preparation prepared(const Problem& problem) {
  Preparation out =
      problem.model().switching == Switching::kShared
          ? prepare_by_messages(problem, rounds_of_messages, true)
          : by_measuring<rounds_measured_once<kMostMeasuredPackets, generate>, generate, Effort::kLittle>(
                problem);
  if (out.fits.applies) add_relayed(problem, out);
  return out;
}

}  // namespace
}  // namespace alltoall_bruck_parts

constinit const Algorithm alltoall_bruck = {
    .name = "alltoall_bruck",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "Bruck's algorithm: ceil(log2 N) rounds of combined messages, each round packed into contention-free steps",
    .source = "baseline; Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any graph, any ports; ceil(log2 N) start-ups where no worm is in another's way, or links are shared; on folded Clos networks, and over shared "
        "links with few ports, members with more start-ups and fewer rounds, as alltoall_index",
    .applies = alltoall_bruck_parts::applies,
    .prepare = alltoall_bruck_parts::prepared,
};

}  // namespace quadrille::algorithms
