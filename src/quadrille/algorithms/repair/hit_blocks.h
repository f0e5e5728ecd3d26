// Hit blocks: what a fault takes out of a plan, and which slots are idle then.
//
// The plan is not stored: it is made twice, and looked at as it passes. The first pass finds the blocks that cross a dead
// arc, the second one the slots (an arc in a step) that nobody uses without them. Of a plan that is the same at all nodes both
// are told by what one node does, which is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/algorithms/repair/living_part.h"
#include "quadrille/algorithms/repair/one_nodes_moves.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Pushes the steps of the plan for the whole network, the same each time.
using ReplaySteps = std::function<void(StepSink&)>;

/// A plan for the whole network.
struct HealthyPlan {
  ReplaySteps replay;
  std::shared_ptr<const OneNodesMoves> brief{};  ///< where it is the same at all nodes
};

/// A set of blocks, asked for every transfer of a plan. Most are not in it, and that is mostly known from a table that stays
/// in the nearest cache.
class BlockSet {
 public:
  explicit BlockSet(uint32_t num_blocks) : bits_(num_blocks / 64 + 1, 0), folded_(kFolded / 64, 0) {}

  void add(BlockId block) {
    const size_t b = index(block);
    bits_[b >> 6U] |= uint64_t{1} << (b & 63U);
    folded_[(b % kFolded) >> 6U] |= uint64_t{1} << (b & 63U);
  }
  [[nodiscard]] bool has(BlockId block) const {
    const size_t b = index(block);
    if (((folded_[(b % kFolded) >> 6U] >> (b & 63U)) & 1U) == 0) return false;
    return ((bits_[b >> 6U] >> (b & 63U)) & 1U) != 0;
  }
  /// All of them, ascending.
  [[nodiscard]] std::vector<BlockId> list() const;

 private:
  static constexpr size_t kFolded = size_t{1} << 17U;

  std::vector<uint64_t> bits_;
  std::vector<uint64_t> folded_;
};

struct HitBlocks {
  BlockSet removed;            ///< whose transfers are taken out
  std::vector<BlockId> moved;  ///< those of them whose ends live, by destination
  uint64_t steps = 0;          ///< of the plan
};

/// One look at the plan for at most 8 parts of the same whole, which differ in what is dead.
[[nodiscard]] std::vector<HitBlocks> find_hit_blocks(std::span<const LivingPart> parts,
                                                     const HealthyPlan& plan);

/// For every step the lanes that are idle, as bits. An arc has as many lanes as its capacity; dead arcs have none that is idle.
class IdleSlots {
 public:
  IdleSlots(const LivingPart& part, const HitBlocks& hit, const HealthyPlan& plan);

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] size_t words() const { return living_.size(); }
  [[nodiscard]] uint32_t first_lane(ArcId arc) const { return lanes_begin_[index(arc)]; }
  [[nodiscard]] ArcId arc_of(size_t lane) const { return arc_of_lane_[lane]; }
  /// Of a step of the plan or behind it, where all lanes are idle that live.
  [[nodiscard]] const uint64_t* in_step(uint64_t step) const {
    return step < steps_ ? idle_.data() + step * words() : living_.data();
  }
  /// How many of the plan's steps an arc has an idle lane in, counted by lanes.
  [[nodiscard]] const std::vector<uint32_t>& of_arcs() const { return of_arcs_; }

 private:
  void take_moves(const LivingPart& part, const HitBlocks& hit, const OneNodesMoves& moves);

  uint64_t steps_;
  std::vector<uint32_t> lanes_begin_;
  std::vector<ArcId> arc_of_lane_;
  std::vector<uint64_t> living_;
  std::vector<uint64_t> idle_;
  std::vector<uint32_t> of_arcs_;
};

}  // namespace quadrille
