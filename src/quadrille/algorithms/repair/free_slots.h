// Free slots: of every arc the steps in which it can still take a block, within a plan and behind it.
//
// A slot is one of an arc's lanes in one step. They are kept lane by lane, as words of 64 steps, so that the next free step is found
// in a word or two. Of the words of a plan most are empty, and are not kept: so the others stay near the processor.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/repair/hit_blocks.h"
#include "quadrille/base/ids.h"

namespace quadrille {

class FreeSlots {
 public:
  static constexpr uint32_t kNever = UINT32_MAX;

  /// Those that are idle, and `behind` steps behind the plan.
  FreeSlots(const IdleSlots& idle, uint32_t behind);

  /// The first step from `step` on in which the arc is free; never for a dead arc, or beyond the end.
  [[nodiscard]] uint32_t next(ArcId arc, uint32_t step) const;
  void take(ArcId arc, uint32_t step);
  /// One that was taken before.
  void give_back(ArcId arc, uint32_t step);
  [[nodiscard]] uint32_t end() const { return end_; }

 private:
  // Of 64 words of a lane.
  struct Part {
    uint64_t some = 0;        // those with a free step
    uint64_t kept = 0;        // those that had one at first
    uint32_t first_kept = 0;  // among all words that are kept
  };

  [[nodiscard]] uint64_t& word(size_t lane, uint32_t step);
  [[nodiscard]] const uint64_t& word(const Part& part, size_t w) const;

  uint32_t end_;
  size_t parts_of_lane_;
  std::vector<uint32_t> lanes_begin_;  // of each arc; one more at the end
  std::vector<Part> parts_;
  std::vector<uint64_t> words_;
};

}  // namespace quadrille
