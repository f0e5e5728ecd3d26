// Rank rounds: an algorithm as its authors write it, as messages between ranks in a network where everybody
// reaches everybody.
//
//     RankRounds rounds;
//     for (uint32_t v = 0; v < p; ++v) rounds.send(v, v ^ 1U, blocks);
//     rounds.end_round();
//
// All messages of a round read what was there before it. Ranks are numbered from the root, which is 0; blocks are
// those of the collective with that numbering. Who lies where, over which links messages go and in how many steps is
// the business of placed_rounds.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class RankRounds {
 public:
  struct Message {
    uint32_t from;
    uint32_t to;
    TransferOp op;
    SumSlots slots;
    size_t first_block;
    size_t end_block;
  };

  /// A list of blocks, which any number of messages may be of.
  struct Blocks {
    size_t first = 0;
    size_t end = 0;
  };
  [[nodiscard]] Blocks keep(std::span<const BlockId> blocks);

  /// No blocks: no message. Where sums are kept apart no message may go into a slot that one of its round is sent from:
  /// then a round may take several steps.
  void send(uint32_t from, uint32_t to, std::span<const BlockId> blocks, TransferOp op = TransferOp::kDefault,
            SumSlots slots = {});
  void send(uint32_t from, uint32_t to, Blocks blocks, TransferOp op = TransferOp::kDefault,
            SumSlots slots = {});
  /// A round without messages is none.
  void end_round();

  [[nodiscard]] size_t size() const { return round_ends_.size(); }
  [[nodiscard]] std::span<const Message> round(size_t r) const {
    const size_t begin = r == 0 ? 0 : round_ends_[r - 1];
    return std::span(messages_).subspan(begin, round_ends_[r] - begin);
  }
  [[nodiscard]] std::span<const BlockId> blocks(const Message& message) const {
    return std::span(blocks_).subspan(message.first_block, message.end_block - message.first_block);
  }
  [[nodiscard]] size_t num_messages() const { return messages_.size(); }
  /// Blocks of a round's longest message.
  [[nodiscard]] size_t most_blocks(size_t r) const;

  /// The rounds backwards, of which none names slots: broadcast becomes reduce, allgather reduce_scatter, scatter gather.
  [[nodiscard]] RankRounds reversed() const;
  /// All rounds of another one after these, as copies if wanted; none names slots.
  void append(const RankRounds& other, TransferOp op);
  /// The first so many rounds once more, backwards.
  void append_backwards(size_t rounds, TransferOp op);
  /// All but the blocks from `end` on.
  [[nodiscard]] RankRounds without_blocks_from(uint32_t end) &&;
  /// Of blocks in so many pieces those that are in one of several classes: pieces k, k + classes, ..
  [[nodiscard]] RankRounds of_class(uint32_t klass, uint32_t classes, uint32_t pieces) const;

 private:
  template <typename Keep>
  [[nodiscard]] RankRounds filtered(Keep keep) const;

  std::vector<Message> messages_;
  std::vector<size_t> round_ends_;
  std::vector<BlockId> blocks_;  // several messages may be of the same
};

/// Lists that messages of one RankRounds share, taken over into another one and shared there.
class SharedBlocks {
 public:
  SharedBlocks(const RankRounds& from, RankRounds& into) : from_(from), into_(into) {}
  /// What of the message's blocks `keep`, given an index, wants; the same for every message.
  template <typename Keep>
  [[nodiscard]] RankRounds::Blocks of(const RankRounds::Message& message, Keep keep) {
    const auto [entry, is_new] = taken_.try_emplace(message.first_block);
    auto& [end, blocks] = entry->second;
    if (!is_new && end == message.end_block) return blocks;
    kept_.clear();
    for (const BlockId block : from_.blocks(message))
      if (keep(static_cast<uint32_t>(index(block)))) kept_.push_back(block);
    end = message.end_block;
    return blocks = into_.keep(kept_);
  }
  [[nodiscard]] RankRounds::Blocks of(const RankRounds::Message& message) {
    return of(message, [](uint32_t) { return true; });
  }

 private:
  const RankRounds& from_;
  RankRounds& into_;
  std::unordered_map<size_t, std::pair<size_t, RankRounds::Blocks>> taken_;  // by the first block there
  std::vector<BlockId> kept_;
};

/// Several algorithms at once, round by round; each for another class of the pieces.
[[nodiscard]] RankRounds side_by_side(std::span<const RankRounds> classes);

/// An allreduce of `pieces`, dealt out to the ranks in equal parts, out of an allgather of as many to each rank as
/// the first one has: backwards, and forwards with copies.
[[nodiscard]] RankRounds both_ways(const RankRounds& allgather, uint32_t pieces);
/// Pieces of the first rank.
[[nodiscard]] uint32_t pieces_for_each(uint32_t pieces, uint32_t ranks);

}  // namespace quadrille
