// A share of the blocks: blocks do not know each other, so each share can be judged by a thread of its own.
#pragma once

#include <cstdint>

#include "quadrille/base/ids.h"

namespace quadrille {

struct BlockRange {
  uint32_t first = 0;
  uint32_t last = 0;  ///< exclusive

  [[nodiscard]] bool contains(BlockId block) const {
    return static_cast<uint32_t>(block) - first < last - first;
  }
};

}  // namespace quadrille
