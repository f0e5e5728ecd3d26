#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

#include <algorithm>

namespace quadrille {

void RankRounds::send(uint32_t from, uint32_t to, std::span<const BlockId> blocks, TransferOp op,
                      SumSlots slots) {
  if (blocks.empty()) return;
  const size_t first = blocks_.size();
  blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
  messages_.push_back({from, to, op, slots, first, blocks_.size()});
}

void RankRounds::end_round() {
  const size_t before = round_ends_.empty() ? 0 : round_ends_.back();
  if (messages_.size() > before) round_ends_.push_back(messages_.size());
}

RankRounds RankRounds::reversed() const {
  RankRounds out;
  for (size_t r = size(); r-- > 0;) {
    for (const Message& message : round(r)) out.send(message.to, message.from, blocks(message));
    out.end_round();
  }
  return out;
}

void RankRounds::append(const RankRounds& other, TransferOp op) {
  for (size_t r = 0; r < other.size(); ++r) {
    for (const Message& message : other.round(r)) send(message.from, message.to, other.blocks(message), op);
    end_round();
  }
}

template <typename Keep>
RankRounds RankRounds::filtered(Keep keep) const {
  RankRounds out;
  std::vector<BlockId> kept;
  for (size_t r = 0; r < size(); ++r) {
    for (const Message& message : round(r)) {
      kept.clear();
      for (const BlockId block : blocks(message))
        if (keep(static_cast<uint32_t>(index(block)))) kept.push_back(block);
      out.send(message.from, message.to, kept, message.op, message.slots);
    }
    out.end_round();
  }
  return out;
}

RankRounds RankRounds::without_blocks_from(uint32_t end) const {
  return filtered([end](uint32_t block) { return block < end; });
}

RankRounds RankRounds::of_class(uint32_t klass, uint32_t classes, uint32_t pieces) const {
  return filtered([=](uint32_t block) { return block % pieces % classes == klass; });
}

RankRounds side_by_side(std::span<const RankRounds> classes) {
  size_t rounds = 0;
  for (const RankRounds& each : classes) rounds = std::max(rounds, each.size());
  RankRounds out;
  for (size_t r = 0; r < rounds; ++r) {
    for (const RankRounds& each : classes) {
      if (r >= each.size()) continue;
      for (const RankRounds::Message& message : each.round(r))
        out.send(message.from, message.to, each.blocks(message), message.op, message.slots);
    }
    out.end_round();
  }
  return out;
}

uint32_t pieces_for_each(uint32_t pieces, uint32_t ranks) { return (pieces - 1) / ranks + 1; }

RankRounds both_ways(const RankRounds& allgather, uint32_t pieces) {
  RankRounds out = allgather.reversed();
  out.append(allgather, TransferOp::kCopy);
  return out.without_blocks_from(pieces);
}

}  // namespace quadrille
