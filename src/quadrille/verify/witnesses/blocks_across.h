// Blocks between groups of nodes: how often a block must enter and leave each, counted block by block.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of every group: transfers that must lead into it from outside, and out of it.
struct BlocksAcross {
  std::vector<uint64_t> into;
  std::vector<uint64_t> out_of;
};

inline constexpr uint32_t kNoGroup = UINT32_MAX;

/// group[v] is a number below `groups`, or kNoGroup for a node that belongs to none and is outside of all.
[[nodiscard]] BlocksAcross blocks_across(const Problem& problem, const std::vector<uint32_t>& group,
                                         uint32_t groups);

}  // namespace quadrille
