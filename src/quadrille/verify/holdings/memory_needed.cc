#include "quadrille/verify/holdings/memory_needed.h"

#include <fmt/format.h>

#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {

Int128 holdings_bytes(const Problem& problem) {
  const Int128 blocks = problem.collective().num_blocks();
  const Int128 nodes = problem.topology().num_nodes();
  constexpr Int128 kWord = sizeof(uint64_t);
  switch (problem.collective().flow()) {
    case Flow::kMove:
      return blocks * kWord;
    case Flow::kCopy:
      return blocks * ((nodes + 63) / 64) * kWord;
    case Flow::kCombine:
      return blocks * nodes * ((Int128{problem.collective().num_ranks()} + 63) / 64 + 1) * kWord;
  }
  return 0;
}

void require_memory_for_holdings(const Problem& problem) {
  require_memory(holdings_bytes(problem), fmt::format("{} has {} blocks: to follow them all", problem.title(),
                                                      problem.collective().num_blocks()));
}

}  // namespace quadrille
