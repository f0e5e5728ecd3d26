#include "quadrille/verify/holdings/memory_needed.h"

#include <fmt/format.h>
#include <unistd.h>

#include "quadrille/base/input_error.h"

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
  const Int128 needed = holdings_bytes(problem);
  const Int128 present = Int128{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (needed <= present) return;
  throw InputError(fmt::format(
      "{} has {} blocks; to follow them all takes {} GiB, and this machine has {} GiB", problem.title(),
      problem.collective().num_blocks(), to_string((needed >> 30U) + 1), to_string(present >> 30U)));
}

}  // namespace quadrille
