// Allreduce for short vectors, any number of ranks and ports: ceil(log_(k+1) p) rounds of k messages.
//
// Each rank keeps its own contribution and the sum of a window, the next m ranks. In a round k ranks further on send it
// their windows, some of them with their own contribution, so that the windows join without a gap: k windows of m or
// m + 1 make one of (k+1) m + d. The d are the digits of p-1 in base k+1. What comes in a round lies in a slot of its own.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_windows;

namespace allreduce_windows_parts {
namespace {

constexpr uint32_t kMostMessages = 8;
constexpr uint32_t kMostInOneRound = 1024;
constexpr uint32_t kMostRoutedInOneRound = 128;

// Of p - 1, the most significant first.
std::vector<uint32_t> digits(uint32_t number, uint32_t base) {
  std::vector<uint32_t> out;
  for (; number > 0; number /= base) out.push_back(number % base);
  std::reverse(out.begin(), out.end());
  return out;
}

RankRounds windows(const Problem& problem, uint32_t messages) {
  const uint32_t p = problem.collective().num_ranks();
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  RankRounds out;
  uint32_t window = 0;
  uint32_t slot = 1;  // those of the window are 1 .. slot-1
  for (const uint32_t digit : digits(p - 1, messages + 1)) {
    const uint32_t of_window = (1U << slot) - 2;
    uint32_t covered = window;
    for (uint32_t j = 0; j < messages; ++j) {
      const bool with_own = j < digit;
      if (!with_own && window == 0) continue;
      const uint32_t offset = covered + (with_own ? 1 : 0);
      for (uint32_t v = 0; v < p; ++v)
        out.send((v + offset) % p, v, blocks, TransferOp::kDefault,
                 {with_own ? of_window | 1U : of_window, slot});
      covered += window + (with_own ? 1 : 0);
    }
    out.end_round();
    window = covered;
    ++slot;
  }
  return out;
}

// More messages a round where that saves rounds.
Preparation prepared(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint32_t p = problem.collective().num_ranks();
  // Where paths share links a node may send to all at once.
  const bool shared = problem.model().switching == Switching::kShared;
  uint32_t most = shared ? p : 0;
  for (const NodeId v : net.endpoints()) most = std::max(most, net.out_degree(v));
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (!ports.unlimited()) most = std::min(most, ports.count);
  }
  std::vector<uint32_t> choices;
  for (uint32_t k = 1; k <= std::min(most, kMostMessages); ++k) choices.push_back(k);
  const uint32_t two_rounds = messages_of_two_rounds(p);
  if (two_rounds > kMostMessages && most >= two_rounds) choices.push_back(two_rounds);
  const bool is_direct = !shared || is_complete(net);
  if (p > 1 && most >= p - 1 && p <= (is_direct ? kMostInOneRound : kMostRoutedInOneRound))
    choices.push_back(p - 1);  // all to all
  std::vector<RoundsMember> members;
  size_t fewest = SIZE_MAX;
  for (const uint32_t k : choices) {
    if (k >= p) break;
    const size_t rounds = digits(p - 1, k + 1).size();
    if (rounds >= fewest) continue;
    fewest = rounds;
    members.push_back({[k](const Problem& of) { return windows(of, k); }, fmt::format("{}-messages", k)});
  }
  return prepare_rounds(problem, std::move(members));
}

// Where all are neighbours nothing has to be looked for.
Applicability applies(const Problem& problem) {
  const bool is_direct = !takes_paths(problem.model()) && is_complete(problem.topology());
  return is_direct ? Applicability::yes() : rounds_apply(problem);
}

}  // namespace
}  // namespace allreduce_windows_parts

constinit const Algorithm allreduce_windows = {
    .name = "allreduce_windows",
    .collective = CollectiveKind::kAllreduce,
    .summary = "windows of ranks join: k of them in a round, with or without what lies between them",
    .source = "ours, after Bruck et al. 1997; partial sums as in arXiv 2602.17254",
    .remarks =
        "any number of ranks on any network; with k ports ceil(log_(k+1) p) rounds, the fewest that there can be",
    .applies = allreduce_windows_parts::applies,
    .prepare = allreduce_windows_parts::prepared,
};

}  // namespace quadrille::algorithms
