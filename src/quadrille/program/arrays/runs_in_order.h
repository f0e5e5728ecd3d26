// Runs in order: an order of blocks in which sets of them lie together, as many as can be, the first sets first.
//
//     RunsInOrder runs(blocks);
//     runs.take({a, b});       // true: a and b are neighbours from now on
//     runs.take({b, c});
//     runs.order();            // a, b, c
//
// Classes of blocks are in order, and within a class any order is left: a set that takes neighbouring classes, of those in between
// all, splits the outer two (partition refinement; Habib, McConnell, Paul, Viennot 2000). Orders that need a class turned round are not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

class RunsInOrder {
 public:
  /// Of what is settled by nobody this order stays.
  explicit RunsInOrder(std::vector<BlockId> blocks);

  /// Whether it is a run now. The blocks are among those of the order, each once, and at least one.
  bool take(std::span<const BlockId> blocks);
  [[nodiscard]] std::vector<BlockId> order() const;

 private:
  void split(size_t at, const std::vector<BlockId>& taken, bool comes_first);

  std::vector<std::vector<BlockId>> classes_;         // in order
  std::vector<size_t> place_;                         // of each class, by its number
  std::unordered_map<uint32_t, uint32_t> number_of_;  // of each block's class
};

}  // namespace quadrille
