#include "quadrille/verify/witnesses/crossings.h"

#include <algorithm>
#include <functional>

namespace quadrille {
namespace {

// Those with so much on one side at least, whatever it is, and the least that any has on the other.
Rational steps_by(const std::map<uint32_t, uint64_t>& own, const std::map<uint32_t, uint64_t>& other,
                  uint64_t in_a_step) {
  Rational best = 0;
  uint64_t blocks = 0;
  for (auto at = own.rbegin(); at != own.rend(); ++at) {
    blocks += at->second;
    const Rational idle(int64_t{at->first} + int64_t{other.begin()->first});
    best = std::max(best, Rational::of(blocks, in_a_step) + idle);
  }
  return best;
}

// From the ranks on one side of a group to those on its other side.
void add_from_to(const Problem& problem, const Ways& ways, const std::function<bool(size_t)>& starts,
                 const std::function<bool(size_t)>& ends, Crossings& out) {
  const Collective& collective = problem.collective();
  const auto place = [&](Rank rank) { return index(problem.topology().endpoint(rank)); };
  uint32_t most_before = 0;
  uint32_t most_after = 0;
  uint64_t starting = 0;
  uint64_t ending = 0;
  for (uint32_t r = 0; r < collective.num_ranks(); ++r) {
    const size_t v = place(Rank{r});
    if (starts(v)) {
      ++starting;
      most_before = std::max(most_before, ways.before[v]);
    }
    if (ends(v)) {
      ++ending;
      most_after = std::max(most_after, ways.after[v]);
    }
  }
  if (starting == 0 || ending == 0) return;
  const bool all_have = collective.flow() == Flow::kCombine;
  // What the farthest has comes to the farthest that wants it over one of the crossings.
  if (all_have && collective.delivers_to_all())
    return out.add(most_before, most_after, collective.num_blocks());
  for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
    const BlockId block{b};
    const size_t from = all_have ? 0 : place(collective.origin(block));
    const size_t to = collective.delivers_to_all() ? 0 : place(collective.destination(block));
    if (!all_have && !starts(from)) continue;
    if (!collective.delivers_to_all() && !ends(to)) continue;
    // What is copied goes to the farthest that wants it; what is combined comes from the farthest that has it.
    out.add(all_have ? most_before : ways.before[from],
            collective.delivers_to_all() ? most_after : ways.after[to]);
  }
}

// Blocks that move from one group to another, or to or from none.
void add_moving(const Problem& problem, const Ways& ways, bool leaving, Crossings& out) {
  const Collective& collective = problem.collective();
  for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
    const size_t from = index(problem.origin(BlockId{b}));
    const size_t to = index(problem.destination(BlockId{b}));
    if (ways.group[from] == ways.group[to] || ways.group[leaving ? from : to] == kNoGroup) continue;
    out.add(ways.before[from], ways.after[to]);
  }
}

}  // namespace

void Crossings::add(uint32_t before, uint32_t after, uint64_t blocks) {
  if (blocks == 0) return;
  blocks_ += blocks;
  by_before_[before] += blocks;
  by_after_[after] += blocks;
}

Rational Crossings::steps(uint64_t in_a_step) const {
  if (blocks_ == 0 || in_a_step == 0) return 0;
  return std::max(steps_by(by_before_, by_after_, in_a_step), steps_by(by_after_, by_before_, in_a_step));
}

void add_entering(const Problem& problem, const Ways& ways, uint32_t g, Crossings& out) {
  add_from_to(
      problem, ways, [&](size_t v) { return ways.group[v] != g; },
      [&](size_t v) { return ways.group[v] == g; }, out);
}

void add_entering_each(const Problem& problem, const Ways& ways, uint32_t groups, Crossings& out) {
  if (problem.collective().flow() == Flow::kMove) return add_moving(problem, ways, false, out);
  for (uint32_t g = 0; g < groups; ++g) add_entering(problem, ways, g, out);
}

void add_leaving_each(const Problem& problem, const Ways& ways, uint32_t groups, Crossings& out) {
  if (problem.collective().flow() == Flow::kMove) return add_moving(problem, ways, true, out);
  for (uint32_t g = 0; g < groups; ++g) {
    add_from_to(
        problem, ways, [&](size_t v) { return ways.group[v] == g; },
        [&](size_t v) { return ways.group[v] != g; }, out);
  }
}

}  // namespace quadrille
