#include "quadrille/verify/holdings/memory_needed.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

namespace {

// They share the blocks of every problem.
uint32_t judging_machines = 1;

}  // namespace

void judge_on_machines(uint32_t machines) { judging_machines = machines; }

Int128 holdings_bytes(const Problem& problem, uint64_t followed) {
  const Int128 blocks = followed;
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

Int128 holdings_bytes(const Problem& problem) {
  const uint64_t blocks = problem.collective().block_count();
  return holdings_bytes(problem, (blocks + judging_machines - 1) / judging_machines);
}

std::optional<std::string> not_followed_here(const Problem& problem) {
  const uint64_t blocks = problem.collective().block_count();
  if (blocks >= kMaxIds) {
    return fmt::format(
        "{} has {} blocks, more than can be numbered ({}), and to follow them all would need about {}",
        problem.title(), blocks, kMaxIds - 1, memory_text(holdings_bytes(problem)));
  }
  if (problem.topology().is_outline())
    return fmt::format("the {} links of {} are too many to be listed", arc_count(problem.topology()),
                       problem.topology().name());
  const Int128 needed = holdings_bytes(problem);
  if (needed > Int128{memory_limit().bytes}) {
    return fmt::format("{} has {} blocks: to follow them all needs about {}; {}", problem.title(), blocks,
                       memory_text(needed), memory_limit().text());
  }
  return std::nullopt;
}

void require_memory_for_holdings(const Problem& problem) {
  if (const std::optional<std::string> why = not_followed_here(problem)) throw InputError(*why);
}

void require_memory_for_holdings(const Problem& problem, uint64_t followed) {
  if (followed == problem.collective().block_count()) return require_memory_for_holdings(problem);
  require_memory(holdings_bytes(problem, followed), "to follow the blocks of this process");
}

}  // namespace quadrille
