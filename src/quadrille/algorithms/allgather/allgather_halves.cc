// Allgather with few ports: the network is halved, again and again, and in each round everybody exchanges with the other half.
//
// With k ports a group of ranks that lie near each other (placed_ranks/nested_groups.h) falls into k + 1 parts, and a rank sends what its
// group has from it to those who have its place in the other parts. So a group's members have together what there is, each a
// share of it; in the last rounds, between neighbours, the shares are large. On hypercubes that is recursive doubling, the
// farthest dimension first.
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/placed_ranks/nested_groups.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_halves;

namespace allgather_halves_parts {
namespace {

constexpr uint32_t kMostRanks = 2048;

// Messages that a rank may send, and receive, in a step: all of them where there is no limit.
uint32_t messages_of(const Problem& problem) {
  uint32_t out = problem.collective().num_ranks();
  for (const Ports ports : {problem.model().send, problem.model().receive})
    if (!ports.unlimited()) out = std::min(out, ports.count);
  return out;
}

Applicability applies(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  if (problem.model().switching == Switching::kPacket) return on_shared_links(problem);
  if (messages_of(problem) == ranks)
    return Applicability::no(
        "it is for few ports; with all of them allgather_nested_groups takes fewer rounds");
  if (ranks > kMostRanks)
    return Applicability::no("it knows how far all ranks are from each other: for up to 2,048");
  if (Applicability fits = rounds_apply(problem); !fits.applies) return fits;
  return on_shared_links(problem);
}

RankRounds rounds(const Problem& problem) {
  const Topology& topology = problem.topology();
  const uint32_t ranks = problem.collective().num_ranks();
  const uint32_t pieces = problem.collective().pieces();
  const NestedGroups nested(topology, sides_of(topology));
  RankRounds out;
  std::vector<NestedGroups::Group> groups(1, NestedGroups::Group(ranks));
  std::iota(groups.front().begin(), groups.front().end(), 0U);
  std::vector<std::vector<BlockId>> held(ranks);  // what a rank's group has from it alone
  for (uint32_t v = 0; v < ranks; ++v)
    for (uint32_t piece = 0; piece < pieces; ++piece) held[v].push_back(BlockId{v * pieces + piece});
  while (groups.size() < ranks) {
    std::vector<RankRounds::Blocks> lists;
    for (const std::vector<BlockId>& blocks : held) lists.push_back(out.keep(blocks));
    std::vector<std::vector<BlockId>> after = held;
    std::vector<NestedGroups::Group> inner;
    for (NestedGroups::Group& group : groups) {
      std::vector<NestedGroups::Group> parts = nested.parts_of(std::move(group), messages_of(problem) + 1);
      for (const NestedGroups::Group& from : parts) {
        for (const NestedGroups::Group& to : parts) {
          if (&from == &to) continue;
          for (size_t i = 0; i < from.size(); ++i) {
            const uint32_t partner = to[i * to.size() / from.size()];
            out.send(from[i], partner, lists[from[i]]);
            after[partner].insert(after[partner].end(), held[from[i]].begin(), held[from[i]].end());
          }
        }
      }
      std::ranges::move(parts, std::back_inserter(inner));
    }
    out.end_round();
    held.swap(after);
    groups.swap(inner);
  }
  return out;
}

Preparation prepare(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = rounds, .by_number = true, .are_few = true}});
}

// In any number: all pieces of a block go together.
Chunking chunks(const Problem&) { return {}; }

}  // namespace
}  // namespace allgather_halves_parts

constinit const Algorithm allgather_halves = {
    .name = "allgather_halves",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "with k ports, groups fall into k+1 parts, whose members exchange what they have: far while that is little",
    .source = "recursive doubling, the farthest first; the halves of any network are ours",
    .remarks =
        "any network of up to 2,048 ranks, shared links, few ports; ceil(log_(k+1) p) steps where sides divide, few more elsewhere",
    .applies = allgather_halves_parts::applies,
    .chunks = allgather_halves_parts::chunks,
    .prepare = allgather_halves_parts::prepare,
};

}  // namespace quadrille::algorithms
