// Plan: the steps of a collective, stored flat. A proposal: nothing about it has been proved but its shape.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/step.h"

namespace quadrille {

/// A stored sequence of steps. It is a StepSink: a generator fills it. `for (size_t s...) use(plan.step(s));`
///
/// Paths and blocks lie one after another in two arrays for the whole plan; a plan in which every transfer
/// takes one arc and carries one block (packet switching) stores nothing else, eight bytes a transfer; four where steps
/// take the same arcs in the same order, which are kept once.
class Plan final : public StepSink {
 public:
  void push(const StepView& step) override;
  /// Forgets all steps and keeps the memory.
  void clear();

  [[nodiscard]] size_t num_steps() const { return steps_.size(); }
  [[nodiscard]] uint64_t num_transfers() const;
  [[nodiscard]] StepView step(size_t s) const;
  /// Pushes every step into another sink.
  void replay(StepSink& sink) const;

  /// Same steps with the same transfers in the same order.
  friend bool operator==(const Plan& a, const Plan& b);

 private:
  // Where a step starts in the arrays. A unit step has no entries in the end arrays.
  struct StepStart {
    uint64_t arc;
    uint64_t block;
    uint64_t end;  // of arcs_end_ and blocks_end_
    uint64_t op;
    uint64_t slots;
    bool unit;
    bool has_ops;
    bool has_slots;
    friend bool operator==(const StepStart&, const StepStart&) = default;
  };

  std::vector<StepStart> steps_;
  std::vector<ArcId> arcs_;
  std::vector<uint32_t> arcs_end_;  // within the step
  std::vector<BlockId> blocks_;
  std::vector<uint32_t> blocks_end_;
  std::vector<TransferOp> ops_;
  std::vector<SumSlots> slots_;
};

}  // namespace quadrille
