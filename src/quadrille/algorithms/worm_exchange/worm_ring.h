// Total exchange of worms on one ring, as data: who sends which blocks to whom in each phase.
//
// A ring of n nodes has the blocks (s,t), s != t; node v+1 is one up from v. In a phase every node sends at
// most one worm and receives at most one, no directed link is in two worms, and a block sent was there before
// the phase. What it costs is (start-ups, blocks): the number of phases, and the sum over the phases of the
// largest worm.
//
//     const RingSchedule ring = ring_schedule(16, {.form = RingForm::kRotation, .evenly = 4});
//     ring.cost();                       // 5 start-ups, 40 blocks
//     for (const RingWorm& worm : ring.phase(0)) use(worm, ring.blocks(worm));
//
// A ring schedule says nothing about tori: worm_exchange/worm_torus.h lifts it into any product of rings.
//
// The gather-scatter tree. Blocks at positive distance at most n/2 go up, by the nodes 0, 2, 4, ..; the
// others go down, as the mirror image, by the nodes 1, n-1, n-3, .., so that no node works for both. Nested
// sets V_1 > V_2 > .. > V_top of those nodes, each about half of the one before, are the levels. GP_0 leads
// all blocks of the other nodes into V_1; GP_l and SP_l move blocks from each node of V_l to the next, on the
// way to sparser sets and back; SP_0 delivers. An odd ring has one node outside both halves, which costs a
// phase at each end. Opposite blocks (n even) are shared: odd nodes send theirs up, even nodes down.
//
// Rotation. Among the K nodes of a sparse V_l everything can be done at once: for h = 1, 2, 4, .. the blocks
// whose remaining number of whole arcs has bit h move h arcs, in as many phases as keep the worms apart.
// Every block goes the short way, and the links are balanced: more start-ups, fewer blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace quadrille {

struct RingBlock {
  uint16_t source;
  uint16_t target;
  friend bool operator==(const RingBlock&, const RingBlock&) = default;
};

struct RingWorm {
  uint16_t from;
  uint16_t to;
  bool up;         ///< which way round
  uint32_t begin;  ///< of its blocks
  uint32_t end;
  [[nodiscard]] uint32_t size() const { return end - begin; }
};

/// What a schedule costs in time: start_ups ts + blocks b tx.
struct WormCost {
  uint64_t start_ups = 0;
  uint64_t blocks = 0;
  friend bool operator==(const WormCost&, const WormCost&) = default;
};

class RingSchedule {
 public:
  /// Without its blocks it knows how large each worm is, in a fraction of the memory: for who wants the cost.
  explicit RingSchedule(uint32_t length, bool keeps_blocks = true)
      : length_(length), keeps_blocks_(keeps_blocks) {}

  [[nodiscard]] uint32_t length() const { return length_; }
  [[nodiscard]] size_t num_phases() const { return phase_ends_.size(); }
  /// Every worm has blocks.
  [[nodiscard]] std::span<const RingWorm> phase(size_t p) const;
  [[nodiscard]] std::span<const RingBlock> blocks(const RingWorm& worm) const;
  /// Blocks of the phase's largest worm.
  [[nodiscard]] uint32_t largest(size_t p) const;
  /// Links of the phase's longest worm.
  [[nodiscard]] uint32_t longest(size_t p) const;
  [[nodiscard]] WormCost cost() const;

  /// For those who make one: worms of the phase that is being written. Blocks are added to the last worm.
  void add_worm(uint32_t from, uint32_t to, bool up);
  void add_block(RingBlock block);
  /// Ends the phase; worms without blocks and phases without worms vanish.
  void end_phase();

 private:
  uint32_t length_;
  bool keeps_blocks_;
  uint32_t num_blocks_ = 0;
  std::vector<size_t> phase_ends_;
  std::vector<RingWorm> worms_;
  std::vector<RingBlock> blocks_;
};

/// No ring is longer: a schedule knows every block.
inline constexpr uint32_t kLongestWormRing = 1024;

enum class RingForm : uint8_t {
  kTree,      ///< gather-scatter tree to the top
  kRotation,  ///< tree below, rotation above
  kDirect,    ///< every block goes its whole way in one worm of its own, packed greedily, longest first
  kOneWay,    ///< everything goes up, one node a phase: n-1 phases
  kFound,     ///< found by search, stored: found_worms.h
};

/// One member of the family of ring schedules.
struct RingRecipe {
  RingForm form = RingForm::kTree;
  /// The sets V_l: 0: multiples of 2^l (the paper's); K: spread evenly, K nodes in the sparsest.
  uint32_t evenly = 0;
  /// Rotation on multiples of 2^l: l. (Evenly spread, it is always the sparsest set that rotates.)
  uint32_t level = 1;
  /// As published: opposite blocks all go up.
  bool published = false;
  /// Where the levels are uneven: a node of V_(l+1) whose successor in V_l is in V_(l+1), too, sends nothing
  /// in GP_l. Otherwise it sends all that it can.
  bool lazy = false;
  /// Found: which one. It must exist for the length.
  uint32_t start_ups = 0;

  /// "tree", "tree-even4", "rotation-wrap1", "rotation-even8-lazy", "direct", "one-way",
  /// "published", "found5".
  [[nodiscard]] std::string name() const;
  friend bool operator==(const RingRecipe&, const RingRecipe&) = default;
};

/// The schedule of a ring of 1 to kLongestWormRing nodes. Where a ring is too short for a recipe (fewer than
/// 4 nodes; 4 nodes as published) it is a direct one.
[[nodiscard]] RingSchedule ring_schedule(uint32_t length, const RingRecipe& recipe, bool keeps_blocks = true);

/// The phases of a ring schedule. Going one way moves n^3/2 blocks on a ring of n, so each of its phases is
/// made when it is asked for; those of all others are kept.
class RingPhases {
 public:
  RingPhases(uint32_t length, const RingRecipe& recipe);

  [[nodiscard]] size_t size() const;
  /// Calls use(worm, its blocks) for each worm of a phase.
  template <typename Use>
  void for_each_worm(size_t p, Use use) const {
    if (one_way_) {
      const RingSchedule phase = one_way_phase(p);
      for (const RingWorm& worm : phase.phase(0)) use(worm, phase.blocks(worm));
    } else {
      for (const RingWorm& worm : kept_.phase(p)) use(worm, kept_.blocks(worm));
    }
  }

 private:
  [[nodiscard]] RingSchedule one_way_phase(size_t p) const;

  bool one_way_;
  RingSchedule kept_;
};

}  // namespace quadrille
