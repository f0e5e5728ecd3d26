// StepRecord: what goes over which link in which step, as pictures show it. A StepSink: a plan is replayed into it.
//
//     StepRecord record(problem);
//     plan.replay(record);
//     record.step(3)                 // cells: arc, blocks, hop
//     record.loads()                 // blocks over each arc, all steps together
//
// What a colour says is the same all through a plan. Where links carry one block at a time the number of blocks says nothing, so the hop of
// the block does: its first, its second, ..; in what is copied, how far from its origin it comes; in a reduction that ends with
// copies, whether a sum or a result goes there; in one without, how far from its destination a sum is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quadrille/draw/value_scale.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

struct DrawnUse {
  ArcId arc{};
  uint32_t blocks = 0;
  uint32_t hop = 0;  ///< of the block that is farthest; from 1
};

class StepRecord final : public StepSink {
 public:
  /// Only steps `first` up to but without `last` are kept; hops are counted from the beginning all the same.
  explicit StepRecord(const Problem& problem, uint64_t first = 0, uint64_t last = UINT64_MAX);

  /// Throws InputError where what is kept outgrows what a picture can show.
  void push(const StepView& step) override;

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// How many steps were pushed.
  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t first() const { return first_; }
  /// The first step after those that are kept.
  [[nodiscard]] uint64_t last() const { return std::min(last_, steps_); }
  /// Of a step that is kept, arcs ascending, each once. Hops that no link carries, of bad plans, are left out.
  [[nodiscard]] std::span<const DrawnUse> step(uint64_t number) const;
  /// Blocks over each arc, in the steps that are kept.
  [[nodiscard]] std::vector<uint64_t> loads() const;

  /// What a use is shown as, and what that means.
  [[nodiscard]] double value_of(const DrawnUse& use) const;
  [[nodiscard]] ValueScale scale() const;

 private:
  [[nodiscard]] uint32_t hop_of(BlockId block, ArcId arc, bool result);
  [[nodiscard]] bool shows_blocks() const { return most_blocks_ > 1; }

  const Problem& problem_;
  uint64_t first_;
  uint64_t last_;
  uint64_t steps_ = 0;
  std::vector<uint64_t> ends_{};
  std::vector<DrawnUse> uses_{};
  std::vector<uint16_t> moved_{};                   // hops of each block so far, where blocks move
  std::vector<std::vector<uint32_t>> distances_{};  // from each rank, where blocks are copied or added up
  uint32_t most_blocks_ = 0;                        // for a unit of capacity
  uint32_t most_hops_ = 0;
  bool results_ = false;
};

}  // namespace quadrille
