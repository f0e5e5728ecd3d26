#include "quadrille/algorithms/algorithm.h"

#include <algorithm>
#include <tuple>

#include "quadrille/base/check.h"

namespace quadrille {

const Member& cheapest(std::span<const Member> members, const Problem& problem, uint64_t block_bytes) {
  QUADRILLE_CHECK(!members.empty(), "a family without members");
  const auto key = [&](const Member& m) {
    const uint64_t start_ups = m.claim.start_ups.value_or(UINT64_MAX);
    const uint64_t blocks = m.claim.critical_blocks.value_or(UINT64_MAX);
    const double time =
        time_of(problem.model().cost, start_ups, blocks, m.claim.rearranged.value_or(0), block_bytes);
    return std::tuple(time, start_ups, blocks);
  };
  return *std::min_element(members.begin(), members.end(),
                           [&](const Member& a, const Member& b) { return key(a) < key(b); });
}

}  // namespace quadrille
