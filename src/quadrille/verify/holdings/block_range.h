// A share of the blocks: blocks do not know each other, so each share can be judged by a thread of its own, or by another
// process.
#pragma once

#include <cstdint>

#include "quadrille/base/ids.h"

namespace quadrille {

struct BlockRange {
  uint32_t first = 0;
  uint32_t last = 0;  ///< exclusive

  [[nodiscard]] uint32_t size() const { return last - first; }
  [[nodiscard]] bool contains(BlockId block) const {
    return static_cast<uint32_t>(block) - first < last - first;
  }
};

/// The i-th of so many shares, as equal as can be.
[[nodiscard]] constexpr BlockRange share_of(BlockRange all, uint64_t i, uint64_t shares) {
  const uint64_t blocks = all.last - all.first;
  return {all.first + static_cast<uint32_t>(blocks * i / shares),
          all.first + static_cast<uint32_t>(blocks * (i + 1) / shares)};
}

}  // namespace quadrille
