#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

// Calls send(v, w, end) for all messages of a tree: w takes over what is for w .. end-1.
template <typename Send, typename EndRound>
void for_each_knomial(uint32_t ranks, uint32_t radix, Send send, EndRound end_round) {
  uint64_t part = 1;
  while (part < ranks) part *= radix;
  for (part /= radix; part > 0; part /= radix) {
    for (uint64_t v = 0; v < ranks; v += part * radix) {
      for (uint64_t w = v + part; w < std::min<uint64_t>(v + part * radix, ranks); w += part)
        send(static_cast<uint32_t>(v), static_cast<uint32_t>(w),
             static_cast<uint32_t>(std::min<uint64_t>(w + part, ranks)));
    }
    end_round();
  }
}

// The same with parts as equal as can be: what the first rank sends with each message of a round is an equal share of what it
// has, so that it sends ceil((ranks - 1) / (radix - 1)) in a row, or little more.
template <typename Send, typename EndRound>
void for_each_in_equal_parts(uint32_t ranks, uint32_t radix, Send send, EndRound end_round) {
  struct Part {
    uint32_t begin;
    uint32_t end;
  };
  std::vector<Part> parts{{0, ranks}};
  uint64_t most = 1;  // that a part may have after a round
  while (most < ranks) most *= radix;
  while (most > 1) {
    most /= radix;
    std::vector<Part> next;
    for (const auto& [begin, end] : parts) {
      const uint64_t size = end - begin;
      const uint64_t others = radix - 1;
      const uint64_t least = size > most ? (size - most + others - 1) / others : 0;
      const auto share = static_cast<uint32_t>(std::max({least, size / radix, uint64_t{1}}));
      const uint64_t given = std::min(others * share, size - 1);
      uint32_t at = end - static_cast<uint32_t>(given);
      next.push_back({begin, at});
      for (; at < end; at = next.back().end) {
        next.push_back({at, std::min(at + share, end)});
        send(begin, next.back().begin, next.back().end);
      }
    }
    parts = std::move(next);
    end_round();
  }
}

}  // namespace

uint32_t busy_ports(const Problem& problem) {
  const Topology& topology = problem.topology();
  uint32_t ports = UINT32_MAX;
  for (const NodeId v : topology.endpoints()) ports = std::min(ports, topology.out_degree(v));
  for (const Ports limit : {problem.model().send, problem.model().receive})
    if (!limit.unlimited()) ports = std::min(ports, limit.count);
  return std::max(1U, ports);
}

uint32_t flat_radix(const Problem& problem) { return std::max(2U, problem.collective().num_ranks()); }

RankRounds knomial_broadcast(uint32_t ranks, uint32_t radix, uint32_t pieces) {
  RankRounds out;
  std::vector<BlockId> blocks;
  for (uint32_t piece = 0; piece < pieces; ++piece) blocks.push_back(BlockId{piece});
  for_each_knomial(
      ranks, radix, [&](uint32_t v, uint32_t w, uint32_t) { out.send(v, w, blocks); },
      [&] { out.end_round(); });
  return out;
}

RankRounds knomial_scatter(uint32_t ranks, uint32_t radix, uint32_t pieces) {
  RankRounds out;
  std::vector<BlockId> blocks;
  const auto send = [&](uint32_t v, uint32_t w, uint32_t end) {
    blocks.clear();
    for (uint32_t b = w * pieces; b < end * pieces; ++b) blocks.push_back(BlockId{b});
    out.send(v, w, blocks);
  };
  const auto end_round = [&] { out.end_round(); };
  if (radix == 2) {
    for_each_knomial(ranks, radix, send, end_round);
  } else {
    for_each_in_equal_parts(ranks, radix, send, end_round);
  }
  return out;
}

RankRounds without_second_copies(const RankRounds& broadcast, uint32_t ranks, uint32_t pieces) {
  std::vector<bool> has(size_t{ranks} * pieces, false);
  std::fill(has.begin(), has.begin() + pieces, true);
  RankRounds out;
  std::vector<BlockId> blocks;
  for (size_t r = 0; r < broadcast.size(); ++r) {
    for (const RankRounds::Message& message : broadcast.round(r)) {
      blocks.clear();
      for (const BlockId block : broadcast.blocks(message)) {
        const size_t at = size_t{message.to} * pieces + index(block);
        if (has[at]) continue;
        has[at] = true;
        blocks.push_back(block);
      }
      out.send(message.from, message.to, blocks);
    }
    out.end_round();
  }
  return out;
}

}  // namespace quadrille
