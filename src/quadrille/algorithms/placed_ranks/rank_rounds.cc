#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/memory/large_growth.h"

namespace quadrille {
namespace {

RankRounds::Message turned(const RankRounds::Message& message, TransferOp op) {
  return {message.to, message.from, op, {}, message.first_block, message.end_block};
}

}  // namespace

void RankRounds::send(uint32_t from, uint32_t to, std::span<const BlockId> blocks, TransferOp op,
                      SumSlots slots) {
  send(from, to, keep(blocks), op, slots);
}

void RankRounds::send(uint32_t from, uint32_t to, Blocks blocks, TransferOp op, SumSlots slots) {
  if (blocks.first < blocks.end) messages_.push_back({from, to, op, slots, blocks.first, blocks.end});
}

RankRounds::Blocks RankRounds::keep(std::span<const BlockId> blocks) {
  const size_t first = blocks_.size();
  make_room(blocks_, blocks.size());
  blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
  return {first, blocks_.size()};
}

size_t RankRounds::most_blocks(size_t r) const {
  size_t most = 0;
  for (const Message& message : round(r)) most = std::max(most, blocks(message).size());
  return most;
}

void RankRounds::end_round() {
  const size_t before = round_ends_.empty() ? 0 : round_ends_.back();
  if (messages_.size() > before) round_ends_.push_back(messages_.size());
}

RankRounds RankRounds::reversed() const {
  RankRounds out;
  out.blocks_ = blocks_;
  out.messages_.reserve(messages_.size());
  for (size_t r = size(); r-- > 0;) {
    for (const Message& message : round(r)) out.messages_.push_back(turned(message, TransferOp::kDefault));
    out.end_round();
  }
  return out;
}

void RankRounds::append(const RankRounds& other, TransferOp op) {
  const size_t shift = blocks_.size();
  blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
  for (size_t r = 0; r < other.size(); ++r) {
    for (const Message& message : other.round(r))
      messages_.push_back(
          {message.from, message.to, op, {}, message.first_block + shift, message.end_block + shift});
    end_round();
  }
}

void RankRounds::append_backwards(size_t rounds, TransferOp op) {
  messages_.reserve(messages_.size() + (rounds == 0 ? 0 : round_ends_[rounds - 1]));
  for (size_t r = rounds; r-- > 0;) {
    const size_t begin = r == 0 ? 0 : round_ends_[r - 1];
    for (size_t m = begin; m < round_ends_[r]; ++m) messages_.push_back(turned(messages_[m], op));
    end_round();
  }
}

template <typename Keep>
RankRounds RankRounds::filtered(Keep keep) const {
  RankRounds out;
  SharedBlocks taken(*this, out);
  for (size_t r = 0; r < size(); ++r) {
    for (const Message& message : round(r))
      out.send(message.from, message.to, taken.of(message, keep), message.op, message.slots);
    out.end_round();
  }
  return out;
}

RankRounds RankRounds::without_blocks_from(uint32_t end) && {
  if (std::ranges::none_of(blocks_, [end](BlockId block) { return index(block) >= end; }))
    return std::move(*this);
  return filtered([end](uint32_t block) { return block < end; });
}

RankRounds RankRounds::of_class(uint32_t klass, uint32_t classes, uint32_t pieces) const {
  return filtered([=](uint32_t block) { return block % pieces % classes == klass; });
}

RankRounds side_by_side(std::span<const RankRounds> classes) {
  size_t rounds = 0;
  for (const RankRounds& each : classes) rounds = std::max(rounds, each.size());
  RankRounds out;
  std::vector<SharedBlocks> taken;
  for (const RankRounds& each : classes) taken.emplace_back(each, out);
  for (size_t r = 0; r < rounds; ++r) {
    for (size_t k = 0; k < classes.size(); ++k) {
      if (r >= classes[k].size()) continue;
      for (const RankRounds::Message& message : classes[k].round(r))
        out.send(message.from, message.to, taken[k].of(message), message.op, message.slots);
    }
    out.end_round();
  }
  return out;
}

uint32_t pieces_for_each(uint32_t pieces, uint32_t ranks) { return (pieces - 1) / ranks + 1; }

RankRounds both_ways(const RankRounds& allgather, uint32_t pieces) {
  RankRounds out = allgather.reversed();
  out.append_backwards(out.size(), TransferOp::kCopy);
  return std::move(out).without_blocks_from(pieces);
}

}  // namespace quadrille
