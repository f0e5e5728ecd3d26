// Fat tree windows: in what order the leaves of a subtree talk to those of its sisters, so that any window of
// consecutive messages is spread evenly over all branches.
//
// In the exchange of level l the k_l subtrees below every level-l node swap messages: each has m = N_(l-1)
// leaves and m * m * (k_l - 1) messages for its sisters. All of them do the same, relative to themselves, and
// send `window` messages a step:
//
//     window = e_l = min over j <= l of q_j c_j,      q_j = N_(l-1) / N_(j-1),
//
// what passes the narrowest place on the way up: a subtree has q_j branches of level j, each of capacity c_j.
// So the exchange takes ceil(m m (k_l - 1) / e_l) steps (equation 6.5, with e_l for c_l), and this order
// makes every window fit. Say that leaf number u of a subtree is the one whose digits are those of u read
// backwards: consecutive numbers then take turns among the highest branches first, and any e consecutive ones
// put at most ceil(e / q_j) on a branch of level j. Senders are counted through in this way, u = 0, 1, ..,
// m-1, 0, ... Were the receivers u + d, they would be consecutive too, but for the skip when d changes; a
// window with a skip in it overloads the branches that are full without it. Let q be the largest q_j with
// q_j c_j = e (those are the full ones, and q divides e). Leaves are counted in groups of q: leaf number
// u = U q + r, and
//
//     for d0 < q, for D < m/q, for s = 1 .. k_l - 1, for U < m/q, for r < q:
//         leaf U q + r -> leaf ((U + D) mod m/q) q + (r + d0) mod q of the s-th next subtree.
//
// Windows are whole groups, and a group visits every class modulo q once on both sides: full branches carry
// just what they can. Branches with q_j > q are not full, so they have room for the one message that a skip
// of D brings: as long as a window has at most one, e <= (k_l - 1) m + q, as it is wherever c_1 = 1, this is
// a proof. Longer windows are counted out. If one does not fit, which is rare, windows of equal lengths, none
// the full e_l, are tried with q = 1. If these do not fit either, the order above is given up and each step's
// messages are found by a flow (balanced_parts.h), which is exact for any capacities; on subtrees too large
// for that, windows are cut where the shift changes, which always fits and costs some steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithms/fat_trees/balanced_parts.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille {

enum class Windows : uint8_t { kFull, kEven, kFlow, kCut };

struct LevelExchange {
  uint32_t level = 1;
  uint32_t leaves = 1;   ///< m, of one subtree
  uint32_t sisters = 1;  ///< k_l - 1
  uint64_t window = 1;   ///< e_l: messages that a subtree sends in a step
  uint32_t group = 1;    ///< q
  Windows windows = Windows::kFull;
  std::vector<uint32_t> blocks;  ///< leaves below a node, for each level below the exchange's
  std::vector<uint32_t> leaf;    ///< leaf[u]: the leaf, within its subtree, that has number u

  [[nodiscard]] uint64_t messages() const { return uint64_t{leaves} * leaves * sisters; }
  [[nodiscard]] uint64_t steps() const;
  /// The messages, in their order, that a subtree has sent at the end of a step (from 0).
  [[nodiscard]] uint64_t sent(uint64_t step) const;

  /// Calls use(s, from, to) for every message of one subtree in the order in which they are sent: from a leaf
  /// of it to a leaf of the s-th next one, both as offsets within their subtrees.
  template <typename Use>
  void for_each_message(Use use) const {
    if (windows == Windows::kFlow) {
      BalancedParts parts(blocks, sisters, steps());
      while (parts.left() > 0) {
        for (const BalancedParts::Pair& pair : parts.next()) use(pair.copy + 1, pair.from, pair.to);
      }
      return;
    }
    const uint32_t groups = leaves / group;
    for (uint32_t d0 = 0; d0 < group; ++d0) {
      for (uint32_t shift = 0; shift < groups; ++shift) {
        for (uint32_t s = 1; s <= sisters; ++s) {
          for (uint32_t i = 0; i < groups; ++i) {
            const uint32_t from = i * group;
            const uint32_t to = (i + shift < groups ? i + shift : i + shift - groups) * group;
            for (uint32_t r = 0; r < group; ++r) {
              use(s, leaf[from + r], leaf[to + (r + d0 < group ? r + d0 : r + d0 - group)]);
            }
          }
        }
      }
    }
  }
};

[[nodiscard]] LevelExchange level_exchange(const FatTree& tree, uint32_t level);

/// Of all levels, from the root down.
[[nodiscard]] std::vector<LevelExchange> level_exchanges(const FatTree& tree);

/// How windows are made that are not just full ones: "windows of equal lengths on level 2; ..."; empty where
/// all are full.
[[nodiscard]] std::string special_windows(const std::vector<LevelExchange>& exchanges);

/// The leaf of each number in a subtree below a node of the level: its digits read backwards.
[[nodiscard]] std::vector<uint32_t> leaves_in_turn(const FatTree& tree, uint32_t level);

}  // namespace quadrille
