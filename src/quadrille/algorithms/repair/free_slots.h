// Free slots: of every arc the steps in which it can still take a block, within a plan and behind it.
//
// A slot is one of an arc's lanes in one step. They are kept arc by arc, so that the next free step is found in a word or two; of the
// words, most of them empty, it is kept which are not.
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
  [[nodiscard]] uint64_t& word(size_t lane, uint32_t step) { return bits_[lane * words_ + (step >> 6U)]; }
  void note(size_t lane, uint32_t step);

  uint32_t end_;
  size_t words_;                       // of a lane
  size_t notes_;                       // of a lane
  std::vector<uint32_t> lanes_begin_;  // of each arc; one more at the end
  std::vector<uint64_t> bits_;
  std::vector<uint64_t> any_;  // of every lane a bit for each word that has some
};

}  // namespace quadrille
