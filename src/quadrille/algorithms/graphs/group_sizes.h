// Group sizes: how large groups of ranks are to be, level by level, for a block that comes to one member of each.
//
// A block is handed to one member of every group of the first level, then of the smaller groups of the next, at last to
// single ranks, each time from the nearest who has it. That is as far as the middle of a group is from its members, so that
// groups of n ranks in all cost, in groups of m each before, (N/n - N/m) times the mean distance there. Which sizes make the
// sum over so many levels least is found by going through all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace quadrille {

class GroupSizes {
 public:
  /// How long a group is in each dimension of a grid; elsewhere how many members it has.
  using Size = std::vector<uint32_t>;
  struct Chain {
    double hops = 0;            ///< of one block, in all levels
    std::vector<Size> sizes{};  ///< of each level, the last of single ranks
  };

  /// Boxes in a grid: `spread(dimension, length)` is the mean distance, along it, from the middle of a piece so long. Of equal
  /// sides the first are cut last: other orders are the same, turned round.
  [[nodiscard]] static GroupSizes boxes(std::span<const uint32_t> sides,
                                        const std::function<double(size_t, uint32_t)>& spread);
  /// Any groups: `spread[m]` is the mean distance from a rank to the m nearest, itself among them.
  [[nodiscard]] static GroupSizes balls(std::span<const double> spread);

  [[nodiscard]] Chain best(uint32_t levels) const;

 private:
  void add(Size size, double groups, double spread);

  std::vector<Size> sizes_;     // larger ones first: all ranks, .., one
  std::vector<double> groups_;  // of such a size
  std::vector<double> spread_;
};

}  // namespace quadrille
