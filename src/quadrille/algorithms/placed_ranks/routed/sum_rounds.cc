#include "quadrille/algorithms/placed_ranks/routed/sum_rounds.h"

#include <algorithm>

namespace quadrille {
namespace {

bool replaces(const RankRounds::Message& message) {
  return message.op == TransferOp::kCopy && message.slots.to == 0;
}

// Of a block at a rank: counted from round 1.
struct Touched {
  uint32_t last_sent = 0;
  uint32_t received = 0;
  uint32_t replaced = 0;
};

}  // namespace

std::optional<SumRounds> sum_rounds(const RankRounds& rounds, uint32_t ranks, uint32_t blocks,
                                    bool all_apart) {
  SumRounds out{.sums_until = std::vector<uint32_t>(blocks, 0)};
  std::vector<Touched> touched(size_t{ranks} * blocks);
  const auto at = [&](uint32_t rank, BlockId block) { return size_t{rank} * blocks + index(block); };
  for (uint32_t r = 0; r < rounds.size(); ++r) {
    for (const RankRounds::Message& message : rounds.round(r)) {
      for (const BlockId block : rounds.blocks(message)) {
        if (!replaces(message) || message.slots.from != SumSlots::kAll) out.sums_until[index(block)] = r + 1;
        touched[at(message.from, block)].last_sent = r + 1;
      }
    }
  }
  std::vector<uint32_t> waiting(touched.size(), 0);
  std::vector<uint32_t> sent(touched.size(), 0);
  for (uint32_t r = 0; r < rounds.size(); ++r) {
    for (const RankRounds::Message& message : rounds.round(r))
      for (const BlockId block : rounds.blocks(message)) sent[at(message.from, block)] = r + 1;
    for (const RankRounds::Message& message : rounds.round(r)) {
      for (const BlockId block : rounds.blocks(message)) {
        const size_t there = at(message.to, block);
        Touched& now = touched[there];
        if (replaces(message)) {
          if (sent[there] == r + 1 || now.received == r + 1 || now.replaced == r + 1) return std::nullopt;
          now.replaced = r + 1;
        } else {
          if (now.replaced == r + 1) return std::nullopt;
          now.received = r + 1;
          if (all_apart || r < now.last_sent || message.slots.to != 0)
            out.waiting = std::max(out.waiting, ++waiting[there]);
        }
      }
    }
  }
  return out;
}

}  // namespace quadrille
