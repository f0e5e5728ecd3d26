// Total exchange on a fat tree whose branches are as wide as there are leaves below them: in each step all
// leaves send to the same relative displacement.
//
// Leaves are numbered by digits, and a displacement is added digit by digit without carry; its level is the
// position of its highest digit that is not 0. If all leaves send to one displacement of level l in step s,
// the messages arrive, one at every leaf, in step s + 2l - 1, and no branch of capacity N_(l-1) can be
// overloaded on the way: the only rule is that the steps of departure differ, and so do those of arrival.
// There are (k_l - 1) N_(l-1) displacements of level l.
//
// From the highest level to the lowest, with two idle steps before each next level: n + 2h - 2 steps. Often
// one step less is possible, by slipping a chain of low levels in between the high ones. A message of level a
// that is sent in step t arrives when one of level h would that was sent in step t - 2(h - a); so that step
// must be free of level h, which it is if it belongs to the chain as well. The first of the chain is level 1
// in step 2h - 2, whose partner is step 0; if the last falls into the step right after the last message of
// level h, one of the idle steps there is used, and the plan is one step shorter:
//
//     2h - 2 + sum of 2(h - a_i) over the chain a_1 .. a_p  =  number of level-h sends + p + 1.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_flight.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_fat_tree_shifts;

namespace alltoall_fat_tree_shifts_parts {
namespace {

constexpr uint32_t kIdle = 0;

uint32_t displacements(const FatTree& tree, uint32_t level) {
  return tree.below(level) - tree.below(level - 1);
}

// The levels a_1 .. a_p of the chain above, ascending; nothing where there is none. Of the values
// 2(h - a) - 1 the last is 1, so taking the largest first finds a chain if the ones suffice.
std::optional<std::vector<uint32_t>> chain_of(const FatTree& tree) {
  const uint32_t h = tree.height();
  if (h < 3 || displacements(tree, h) + 3 < 2 * h) return std::nullopt;
  uint64_t left = uint64_t{displacements(tree, h)} + 3 - 2 * h;
  std::vector<uint32_t> chain;
  for (uint32_t a = 1; a < h; ++a) {
    const uint32_t value = 2 * (h - a) - 1;
    const uint32_t most = displacements(tree, a) - (a == 1 ? 1 : 0);
    const uint64_t count = std::min<uint64_t>(left / value, most);
    chain.insert(chain.end(), count, a);
    left -= count * value;
  }
  if (left > 0) return std::nullopt;
  return chain;
}

// The level of the displacement that is sent in each step.
std::vector<uint32_t> levels_to_send(const FatTree& tree) {
  const uint32_t h = tree.height();
  std::vector<uint32_t> left(h + 1, 0);
  for (uint32_t l = 1; l <= h; ++l) left[l] = displacements(tree, l);
  std::vector<uint32_t> out;
  const std::optional<std::vector<uint32_t>> chain = chain_of(tree);
  if (chain) {
    out.assign(left[h] + chain->size() + 1, h);
    size_t step = 2 * size_t{h} - 3;  // 0-based
    out[step] = 1;
    --left[1];
    for (const uint32_t a : *chain) {
      step += 2 * size_t{h - a};
      if (step == out.size()) out.push_back(a);
      out[step] = a;
      --left[a];
    }
    out.push_back(kIdle);
  } else {
    out.assign(left[h], h);
    out.insert(out.end(), 2, kIdle);
  }
  for (uint32_t l = h - 1; l > 0; --l) {
    out.insert(out.end(), left[l], l);
    out.insert(out.end(), 2, kIdle);
  }
  while (out.back() == kIdle) out.pop_back();
  return out;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = fits_multiport_fat_tree(problem); !fits.applies) return fits;
  const FatTree tree(problem.topology());
  for (uint32_t l = 1; l <= tree.height(); ++l) {
    if (tree.capacity(l) >= tree.below(l - 1)) continue;
    return Applicability::no(
        fmt::format("it needs branches as wide as there are leaves below them: those of level {} of {} have "
                    "capacity {} for {} leaves",
                    l, problem.topology().name(), tree.capacity(l), tree.below(l - 1)));
  }
  return Applicability::yes();
}

Prediction predicted(const Problem& problem) {
  const FatTree tree(problem.topology());
  const uint32_t n = tree.leaves();
  const uint64_t steps = uint64_t{n} + 2 * uint64_t{tree.height()} - (chain_of(tree) ? 3 : 2);
  uint64_t busiest = 0;
  for (uint32_t l = 0; l < tree.height(); ++l) {
    busiest = std::max(busiest, uint64_t{tree.below(l)} * (n - tree.below(l)));
  }
  return {.steps = steps, .start_ups = steps, .busiest_link = busiest, .queue = 0};
}

void generate(const Problem& problem, StepSink& sink) {
  const FatTree tree(problem.topology());
  FatTreeFlight flight(tree, sink);
  std::vector<uint32_t> next{0};  // per level: the next displacement
  for (uint32_t l = 1; l <= tree.height(); ++l) next.push_back(tree.below(l - 1));
  for (const uint32_t level : levels_to_send(tree)) {
    if (level != kIdle) {
      const uint32_t displacement = next[level]++;
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
        flight.depart(level, leaf, tree.displaced(leaf, displacement));
      }
    }
    flight.end_step();
  }
  flight.land();
}

}  // namespace
}  // namespace alltoall_fat_tree_shifts_parts

constinit const Algorithm alltoall_fat_tree_shifts = {
    .name = "alltoall_fat_tree_shifts",
    .collective = CollectiveKind::kAlltoall,
    .summary = "in each step all leaves send to the same relative displacement; no message ever queues",
    .source =
        "closes the gap that theorem 6.10 of the collective communication dissertation 1996 leaves open",
    .remarks =
        "fat trees with branches as wide as there are leaves below them, all ports; n+2h-2 or n+2h-3 "
        "steps, optimal if one link joins a leaf to its router",
    .applies = alltoall_fat_tree_shifts_parts::applies,
    .prepare =
        by_formula<alltoall_fat_tree_shifts_parts::predicted, alltoall_fat_tree_shifts_parts::generate>,
};

}  // namespace quadrille::algorithms
