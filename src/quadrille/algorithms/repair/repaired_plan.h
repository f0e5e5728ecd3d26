// Repaired plan: the plan of a whole network, kept as it is but for the blocks that a fault has hit.
//
//     const RepairedPlan repaired(parts, plan);      // the healthy plan is made again and again, and not stored
//     repaired.steps();
//     repaired.generate(sink);                       // for what is left of the network
//
// Of a healthy plan that is the same at all nodes one node's moves say everything: it is not made at all then, nor written out for
// a sink that takes the short form (schedule/symmetric/mended_step.h).
//
// Blocks whose way crossed a dead link or node take detours, in slots that are idle now, and in steps behind the plan. Nothing
// else moves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/repair/hit_blocks.h"
#include "quadrille/algorithms/repair/living_part.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/mended_step.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

class RepairedPlan {
 public:
  /// `plan` is one that moves one block over one arc at a time, for the whole of all `parts`. Where the whole is
  /// symmetric the same faults are other parts of it (symmetric_parts()): the one that is hurt least is taken.
  RepairedPlan(std::vector<LivingPart> parts, HealthyPlan plan);

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t moved_blocks() const { return moved_.size(); }
  /// Pushes all steps in which something is sent, in numbers of what is left.
  void generate(StepSink& sink) const;

 private:
  void move(const IdleSlots& idle, std::span<const BlockId> blocks);
  void count_steps(const IdleSlots& idle);
  void generate_short(MendedSink& sink, const Plan& moved) const;

  LivingPart part_;
  HealthyPlan plan_;
  BlockSet removed_;
  TimedPaths moved_;
  uint64_t steps_ = 0;
  bool has_short_form_ = false;
};

}  // namespace quadrille
