// Total exchange of worms on one line: a tree below, rotation above.
//
// Blocks that go up travel by the nodes 0, 2, 4, .., those that go down by the mirror image, nodes n-1, n-3,
// .. (n even), so that no node works for both:
//
//   GP_0            odd nodes give all that goes up to their upper neighbour, even ones all that goes down
//                   to their lower one
//   GP_1 .. GP_l-1  gather into the multiples of 4, 8, .., 2^l, each node passing on what is for farther away
//   rotation        among the multiples of 2^l: for h = 1, 2, 4, .. the blocks whose whole number of arcs to
//                   go has bit h move h arcs, in as many phases as keep the worms apart
//   SP_l-1 .. SP_0  the way back down the tree
//
// A line of odd length is the next longer one without its last node, which no worm but its own ever needs.
// With l = 1 the blocks are fewest, with larger l the phases: 16 nodes, l = 1: 9 phases and 93 blocks, l = 2:
// 7 and 107.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quadrille {

struct LineBlock {
  uint32_t source;
  uint32_t target;
};

struct LineWorm {
  uint32_t from;
  uint32_t to;
  std::vector<LineBlock> blocks;
};

/// Phases of worms; in each a node sends at most one and receives at most one, and no directed link is in
/// two.
struct LineSchedule {
  uint32_t length = 1;
  std::vector<std::vector<LineWorm>> phases;

  /// Blocks of the phase's largest worm; 0 after the last phase.
  [[nodiscard]] uint64_t largest(size_t phase) const;
  /// Links of the phase's longest worm; 0 after the last phase.
  [[nodiscard]] uint64_t longest(size_t phase) const;
  /// All phases' largest worms.
  [[nodiscard]] uint64_t blocks() const;
};

/// No line is longer: a schedule knows every block.
inline constexpr uint32_t kLongestWormLine = 1024;

/// One schedule of a line: rotation among multiples of 2^level, or what search has found with that many
/// start-ups (worm_exchange/found_worms.h).
struct LineRecipe {
  uint32_t level = 1;
  uint32_t found = 0;  ///< 0: rotation

  /// "rotation-level1", "found5".
  [[nodiscard]] std::string name() const;
  friend bool operator==(const LineRecipe&, const LineRecipe&) = default;
};

/// The largest l for which two multiples of 2^l lie on a line of n nodes; 0 for lines of one or two.
[[nodiscard]] uint32_t highest_line_level(uint32_t length);

/// The schedule that rotates among multiples of 2^level, 1 <= level <= highest_line_level(length). A line of
/// two nodes is one swap, whatever the level. At most kLongestWormLine nodes.
[[nodiscard]] LineSchedule line_schedule(uint32_t length, uint32_t level);

/// All there are for the length: every level, and what has been found.
[[nodiscard]] std::vector<LineRecipe> line_recipes(uint32_t length);
[[nodiscard]] LineSchedule line_schedule(uint32_t length, const LineRecipe& recipe);

}  // namespace quadrille
