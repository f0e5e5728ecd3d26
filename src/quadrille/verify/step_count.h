// Counters that start every step at zero without being cleared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {

/// One counter per node or arc. An entry holds the step it was last used in above its count, so that a count
/// of an earlier step reads as zero; clearing 4 N counters every step would cost more than judging its N
/// transfers.
class StepCount {
 public:
  explicit StepCount(size_t size) : entries_(size, 0) {}

  /// Counts one more in this step (steps from 1), and returns the new count.
  uint32_t increment(size_t at, uint32_t step) {
    uint64_t& entry = entries_[at];
    const uint64_t now = uint64_t{step} << 32U;
    entry = ((entry >> 32U) == step ? entry : now) + 1;
    return static_cast<uint32_t>(entry);
  }
  [[nodiscard]] uint32_t count(size_t at, uint32_t step) const {
    return (entries_[at] >> 32U) == step ? static_cast<uint32_t>(entries_[at]) : 0;
  }

 private:
  std::vector<uint64_t> entries_;
};

}  // namespace quadrille
