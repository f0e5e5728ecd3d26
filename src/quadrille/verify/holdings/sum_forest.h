// Reductions along trees, followed in eight bytes a block and node, whatever the number of ranks.
//
// A block's sum at a node is sent on at most once, and nothing comes to it afterwards: then what was sent is a
// forest, each node below the one that it sent to, and a sum is what lies below its node. No contribution can be
// in it twice, so that counting tells whether it is whole; and whose contributions they are is read from the
// forest if anybody asks. Whole sums may be copied as often as one likes, to whoever has none. Trees, rings, buckets
// and halving are such plans; exchanges, in which two nodes send each other what both go on with, are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class SumForest {
 public:
  explicit SumForest(const Problem& problem);

  /// What is known of a block at a node: zero before the first step. A block's are those of all nodes.
  struct Cell {
    uint32_t sent_to;  // 1 + node; 0: to nobody yet
    uint32_t gained;   // contributions besides the node's own
  };

  /// A delivery: `from` sends its sum of the block to `to`, which adds it to its own or takes it instead.
  struct Move {
    NodeId from;
    NodeId to;
    bool copy;
  };
  /// Takes all that comes of a block in a step. False, and nothing is changed, where the block's sums would be no
  /// forest any more, or something is wrong with the plan.
  [[nodiscard]] bool take(std::span<Cell> block, std::span<const Move> moves) const;

  /// Whether the node's sum of the block has every rank's contribution.
  [[nodiscard]] bool is_whole(std::span<const Cell> block, NodeId node) const {
    const Cell& cell = block[index(node)];
    return cell.gained >= ranks_ - 1 && cell.gained + own(node) == ranks_;
  }
  /// Adds to each node's set of the block whose contributions it has. `sets` is zero, `words` words a node, 64
  /// ranks a word; sets of nodes to which nothing has come stay so.
  void write_sets(std::span<const Cell> block, uint64_t* sets, size_t words) const;

 private:
  [[nodiscard]] uint32_t own(NodeId node) const { return own_[index(node)]; }
  [[nodiscard]] bool may_send(std::span<const Cell> block, const Move& move) const;

  const Problem& problem_;
  uint32_t ranks_;
  std::vector<uint8_t> own_;  // of a node: 1 if it contributes, a router 0
};

}  // namespace quadrille
