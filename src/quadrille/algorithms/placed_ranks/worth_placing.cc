#include "quadrille/algorithms/placed_ranks/worth_placing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/shortest_paths.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/placed_ranks/rank_placements.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint32_t kPlacedSoon = 8;  // nodes: whatever it is worth

// What the one who has most of it has at least, over so many links, however ranks are placed.
uint64_t at_least(std::vector<uint64_t> work, std::vector<uint64_t> links) {
  std::ranges::sort(work);
  std::ranges::sort(links);
  uint64_t most = 0;
  for (size_t i = 0; i < work.size(); ++i)
    if (links[i] > 0) most = std::max(most, (work[i] + links[i] - 1) / links[i]);
  return most;
}

// What rounds of ranks that have one place each take for all their hops, which all links share.
struct LeastForHops {
  uint64_t steps = 0;  // of worms
  uint64_t blocks = 0;
};

LeastForHops least_for_hops(const Problem& problem, const RankRounds& rounds, const Placement& placement) {
  const ShortestPaths ways(problem, 1);
  const Topology& net = problem.topology();
  uint64_t links = 0;
  for (const ArcId arc : net.arcs()) links += net.capacity(arc);
  LeastForHops out;
  for (size_t r = 0; r < rounds.size(); ++r) {
    uint64_t hops = 0;
    uint64_t hops_of_blocks = 0;
    for (const RankRounds::Message& message : rounds.round(r)) {
      const uint64_t length = ways.length(placement[message.from], placement[message.to]);
      hops += length;
      hops_of_blocks += length * rounds.blocks(message).size();
    }
    out.steps += shares_arcs(problem.model()) ? 1 : (hops + links - 1) / links;
    out.blocks += (hops_of_blocks + links - 1) / links;
  }
  return out;
}

// Steps that what is sent on must wait for, in however few steps a round goes; 0 where that is much to follow.
uint64_t steps_one_after_another(const Problem& problem, const RankRounds& rounds) {
  constexpr size_t kMostFollowed = size_t{1} << 14U;
  const size_t blocks = problem.collective().num_blocks();
  const size_t ranks = problem.collective().num_ranks();
  if (blocks > kMostFollowed / ranks) return 0;
  const bool combines = problem.collective().flow() == Flow::kCombine;
  std::vector<uint32_t> since(
      blocks * ranks, combines ? 0 : UINT32_MAX);  // by rank and block: the step after which it is there
  std::vector<std::pair<size_t, uint32_t>> come;
  uint32_t last = 0;
  for (size_t r = 0; r < rounds.size(); ++r) {
    come.clear();
    for (const RankRounds::Message& message : rounds.round(r)) {
      if (message.slots != SumSlots{}) return 0;
      uint32_t ready = 0;
      for (const BlockId block : rounds.blocks(message)) {
        const uint32_t there = since[message.from * blocks + index(block)];
        if (there != UINT32_MAX) ready = std::max(ready, there);  // else it was there from the beginning
      }
      last = std::max(last, ready + 1);
      for (const BlockId block : rounds.blocks(message))
        come.emplace_back(message.to * blocks + index(block), ready + 1);
    }
    for (const auto& [at, step] : come)
      since[at] = combines ? std::max(since[at], step) : std::min(since[at], step);
  }
  return last;
}

}  // namespace

bool are_worth_forwarding(const Problem& problem) {
  const bool by_name =
      !LooksForBest::is_on() && !WorthMaking::is_limited() && !WorthMaking::is_asked_in_passing();
  return by_name || is_complete(problem.topology());
}

bool are_worth_making(const Problem& problem, const RoundsMember& member) {
  if (!WorthMaking::is_limited() || problem.topology().num_nodes() <= kPlacedSoon) return true;
  uint64_t steps = member.least_steps;
  uint64_t blocks = steps;
  const std::optional<RoundsOutline> known =
      member.outline && problem.collective().num_ranks() > kMostRanksTried ? member.outline(problem)
                                                                           : std::nullopt;
  if (known) {
    // They are not compacted: a port sends one message a step.
    steps = std::max(steps, known->rounds);
    blocks = std::max(steps, known->blocks);
    if (sends_single_packets(problem.model())) steps = blocks;
    for (const Ports ports : {problem.model().send, problem.model().receive}) {
      if (ports.unlimited() || known->rounds == 0) continue;
      // Messages of a round are about as long.
      const uint64_t messages = known->rounds + known->further_messages.value_or(0);
      steps = std::max(steps, (messages + ports.count - 1) / ports.count);
      blocks = std::max(blocks, known->blocks * messages / known->rounds / ports.count);
    }
    if (has_wide_arcs(problem.topology())) blocks = steps;
  }
  return WorthMaking::is_any_of(steps, blocks);
}

// Whether somebody may want the rounds: every rank sends and hears its messages, and their blocks, over the links of a node.
bool are_worth_placing(const Problem& problem, const RankRounds& rounds, bool by_number) {
  if (!WorthMaking::is_limited() || !takes_paths(problem.model()) ||
      problem.topology().num_nodes() <= kPlacedSoon)
    return true;
  const Topology& net = problem.topology();
  uint64_t steps = steps_one_after_another(problem, rounds);
  uint64_t blocks = 0;
  if (steps > 0 && !WorthMaking::is_any_of(steps)) return false;
  if (is_complete(net)) {
    for (size_t r = 0; r < rounds.size(); ++r) blocks += rounds.most_blocks(r);
    return WorthMaking::is_any_of(rounds.size(), has_wide_arcs(net) ? 0 : blocks);
  }
  for (const bool sends : {true, false}) {
    std::vector<uint64_t> messages_of(net.num_endpoints(), 0);
    std::vector<uint64_t> blocks_of_rank(net.num_endpoints(), 0);
    for (size_t r = 0; r < rounds.size(); ++r) {
      for (const RankRounds::Message& message : rounds.round(r)) {
        const uint32_t rank = sends ? message.from : message.to;
        ++messages_of[rank];
        blocks_of_rank[rank] += rounds.blocks(message).size();
      }
    }
    std::vector<uint64_t> links(net.num_endpoints(), 0);
    for (const ArcId arc : net.arcs())
      if (const auto rank = net.rank(sends ? net.tail(arc) : net.head(arc)))
        links[index(*rank)] += net.capacity(arc);
    const Ports ports = sends ? problem.model().send : problem.model().receive;
    const bool shares = shares_arcs(problem.model());
    if (!shares && !ports.unlimited())
      for (uint64_t& of_rank : links) of_rank = std::min<uint64_t>(of_rank, ports.count);
    blocks = std::max(blocks, at_least(std::move(blocks_of_rank), links));
    if (!shares) steps = std::max(steps, at_least(std::move(messages_of), std::move(links)));
  }
  if (problem.collective().num_ranks() > kMostRanksTried) {
    const LeastForHops least = least_for_hops(problem, rounds, placements(problem, by_number).front());
    steps = std::max(steps, least.steps);
    blocks = std::max(blocks, least.blocks);
  }
  return WorthMaking::is_any_of(steps, blocks);
}

}  // namespace quadrille
