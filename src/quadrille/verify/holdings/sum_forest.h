// Reductions along trees, followed in twelve bytes a block and node, whatever the number of ranks.
//
// A block's sum at a node is sent on at most once, and nothing comes to it afterwards: then what was sent is a
// forest, each node below the one that it sent to, and a sum is what lies below its node. No contribution can be
// in it twice, so that counting tells whether it is whole; and whose contributions they are is read from the
// forest if anybody asks. Whole sums may be copied as often as one likes. Trees, rings, buckets and halving are
// such plans; exchanges, in which two nodes send each other what both go on with, are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class SumForest {
 public:
  /// For so many blocks.
  SumForest(const Problem& problem, uint32_t blocks, Pages pages);

  /// A delivery: `from` sends its sum of the block to `to`, which adds it to its own or takes it instead.
  struct Move {
    NodeId from;
    NodeId to;
    bool copy;
  };
  /// Takes all that comes of a block in a step. False, and nothing is changed, where the block's sums would be no
  /// forest any more, or something is wrong with the plan.
  [[nodiscard]] bool take(uint32_t block, uint32_t step, std::span<const Move> moves);

  /// Whether the node's sum of the block has every rank's contribution.
  [[nodiscard]] bool is_whole(uint32_t block, NodeId node) const {
    return is_whole(cells_[cell(block, node)], node);
  }
  /// Whether anything has come to the node for the block.
  [[nodiscard]] bool has_received(uint32_t block, NodeId node) const {
    return cells_[cell(block, node)].gained > 0;
  }
  /// Adds to each node's set of the block whose contributions it has. `sets` is zero, `words` words a node, 64
  /// ranks a word; sets of nodes to which nothing has come stay so.
  void write_sets(uint32_t block, uint64_t* sets, size_t words) const;

 private:
  struct Cell {
    uint32_t sent_to;  // 1 + node; 0: to nobody yet
    uint32_t gained;   // contributions besides the node's own
    uint32_t stamp;    // of the last step in which something came, and whether it was a copy
  };

  [[nodiscard]] size_t cell(uint32_t block, NodeId node) const {
    return size_t{block} * nodes_ + index(node);
  }
  [[nodiscard]] uint32_t own(NodeId node) const { return own_[index(node)]; }
  [[nodiscard]] bool is_whole(const Cell& cell, NodeId node) const {
    return cell.gained >= ranks_ - 1 && cell.gained + own(node) == ranks_;
  }
  [[nodiscard]] bool may_send(const Cell& sender, const Move& move) const;
  [[nodiscard]] bool may_arrive(Cell& receiver, const Move& move, uint32_t step) const;

  const Problem& problem_;
  uint32_t nodes_;
  uint32_t ranks_;
  std::vector<uint8_t> own_;  // of a node: 1 if it contributes, a router 0
  LargeArray<Cell> cells_;
};

}  // namespace quadrille
