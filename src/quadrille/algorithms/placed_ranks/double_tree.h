// Double tree: chunks down two binary trees over the same ranks, in each of which the inner ranks of the other are leaves.
//
// Even chunks go down the one, odd chunks down the other. Every rank hears from at most two, one in each tree, and sends to at
// most two, in the tree where it is inner; so messages have two colours, of which no rank sends, or receives, two of one
// (Sanders, Speck, Traeff 2009), and rounds take turns: with one port a rank receives one chunk and sends one in each, and n chunks
// take n rounds and twice the height of the trees, or less.
//
//     const DoubleTree trees(ranks);
//     RankRounds rounds = trees.broadcast(chunks);      // rounds.size() == trees.num_rounds(chunks)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class DoubleTree {
 public:
  explicit DoubleTree(uint32_t ranks);

  /// From rank 0, chunk by chunk in each tree.
  [[nodiscard]] RankRounds broadcast(uint32_t chunks) const;
  [[nodiscard]] uint64_t num_rounds(uint32_t chunks) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  // What comes to a rank in rounds of one colour: chunks of one tree, one after another.
  struct Edge {
    uint32_t from = kNone;
    uint32_t tree = 0;
    uint32_t first = 0;  // round
  };

  void colour(const std::array<std::vector<uint32_t>, 2>& parents);
  void time(const std::array<std::vector<uint32_t>, 2>& parents);
  [[nodiscard]] uint64_t end_of_rounds(uint32_t chunks) const;

  uint32_t ranks_;
  std::array<std::vector<uint32_t>, 2> colour_;  // by tree and rank: of the message from the parent
  std::array<std::vector<Edge>, 2> into_;        // by colour and rank
};

/// Of DoubleTree(ranks).broadcast(pieces), forwards or backwards; and of both, one after the other.
[[nodiscard]] std::optional<RoundsOutline> double_tree_outline(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> double_tree_outline_both_ways(const Problem& problem);

}  // namespace quadrille
