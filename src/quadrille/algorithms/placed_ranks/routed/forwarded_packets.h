// Forwarded packets: messages between ranks that are no neighbours, where packets take one link a step.
//
// Those on the way take a packet and send it on. Of a block that is copied each of them keeps what it was sent, so that
// nobody receives it twice: a message begins at the last node of its path that has the block, and where its end has it
// already there is none. So a block goes down a tree, and sums go up the same tree backwards: where ranks send a block once
// at most, after all that they hear of it, the messages are planned from the last one to the first, and then turned round.
//
//     ForwardedPackets packets(problem, ForwardedPackets::kForwards);
//     packets.send(path, blocks);                     // one message after another; each as early as there is room
//     packets.push(TransferOp::kDefault, plan);
//
// A path is one of arcs as they are, from the message's sender. Single packets find their steps one by one; many that may
// share a link in a step stay together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {

class ForwardedPackets {
 public:
  enum Direction : bool { kForwards, kBackwards };

  /// `backwards`: messages come from the last one to the first, and their blocks are sums.
  ForwardedPackets(const Problem& problem, Direction direction);

  /// Returns false where that cannot be: a sum is sent on before all of it is there, or sent twice.
  [[nodiscard]] bool send(std::span<const ArcId> path, std::span<const BlockId> blocks);

  /// The steps of all that was sent, with those backwards in the order in which they happen.
  void push(TransferOp op, StepSink& sink);

 private:
  // Where a block is, or is not yet: from which step on it can be sent.
  static constexpr uint32_t kNotThere = UINT32_MAX;

  struct Hop {
    uint32_t step;
    ArcId arc;
    uint32_t first_block;
    uint32_t end_block;
  };

  // A message whose blocks move: over a link go those that do not come by again.
  struct Move {
    std::vector<ArcId> path;
    std::vector<BlockId> blocks;
    std::vector<char> is_taken;  // by hop, then block
  };

  void hop(ArcId arc, std::span<const BlockId> blocks, size_t earliest);
  bool copy(std::span<const ArcId> path, std::span<const BlockId> blocks);
  void cut_circles();
  void schedule_moves();
  [[nodiscard]] uint32_t& since(NodeId node, BlockId block) {
    return since_[moves_ ? index(block) : index(node) * blocks_ + index(block)];
  }
  [[nodiscard]] NodeId giver(ArcId arc) const;
  [[nodiscard]] NodeId taker(ArcId arc) const;

  const Topology topology_;
  const Collective collective_;
  Direction direction_;
  bool moves_;
  bool carries_many_;
  size_t blocks_;
  StepReservations machine_;
  std::vector<uint32_t> since_;    // by node and block; of blocks that move, by block
  std::vector<char> has_begun_;    // by block
  std::vector<char> heard_;        // by node and block, of sums: whether a message was for that node
  std::vector<Move> moves_later_;  // until it is known where blocks come by again
  std::vector<Hop> hops_;
  std::vector<BlockId> carried_;
  uint32_t steps_ = 0;
};

}  // namespace quadrille
