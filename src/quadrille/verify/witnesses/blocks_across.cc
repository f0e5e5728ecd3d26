#include "quadrille/verify/witnesses/blocks_across.h"

namespace quadrille {

BlocksAcross blocks_across(const Problem& problem, const std::vector<uint32_t>& group, uint32_t groups) {
  const Collective& collective = problem.collective();
  const auto group_of = [&](Rank rank) { return group[index(problem.topology().endpoint(rank))]; };
  std::vector<uint64_t> ends(groups, 0);  // endpoints in each group
  for (uint32_t r = 0; r < collective.num_ranks(); ++r) {
    if (group_of(Rank{r}) != kNoGroup) ++ends[group_of(Rank{r})];
  }
  BlocksAcross out{std::vector<uint64_t>(groups, 0), std::vector<uint64_t>(groups, 0)};
  const bool all_have = collective.flow() == Flow::kCombine;
  for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
    const BlockId block{b};
    const uint32_t from = all_have ? kNoGroup : group_of(collective.origin(block));
    const uint32_t to = collective.delivers_to_all() ? kNoGroup : group_of(collective.destination(block));
    if (!all_have && !collective.delivers_to_all()) {  // one of each: no other group has to do with it
      if (from == to) continue;
      if (to != kNoGroup) ++out.into[to];
      if (from != kNoGroup) ++out.out_of[from];
      continue;
    }
    for (uint32_t g = 0; g < groups; ++g) {
      const bool all_inside = ends[g] == collective.num_ranks();
      const bool has = all_have ? ends[g] > 0 : from == g;
      const bool others_have = all_have ? !all_inside : from != g;
      const bool wants = collective.delivers_to_all() ? ends[g] > 0 : to == g;
      const bool others_want = collective.delivers_to_all() ? !all_inside : to != g;
      if (others_have && wants) ++out.into[g];
      if (has && others_want) ++out.out_of[g];
    }
  }
  return out;
}

}  // namespace quadrille
