// Sum rounds: what rounds of a reduction ask of those who pass its messages on, where ranks exchange partial sums.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

struct SumRounds {
  std::vector<uint32_t>
      sums_until{};      ///< by block: from this round on complete sums are copied, and nothing else
  uint32_t waiting = 0;  ///< at most so many sums wait apart from a rank's own
};

/// `all_apart`: nothing is added to another sum before that is sent. Nothing where a round replaces what it sends as well, or
/// adds to.
[[nodiscard]] std::optional<SumRounds> sum_rounds(const RankRounds& rounds, uint32_t ranks, uint32_t blocks,
                                                  bool all_apart = false);

}  // namespace quadrille
