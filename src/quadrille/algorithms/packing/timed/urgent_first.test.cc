#include "quadrille/algorithms/packing/timed/urgent_first.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "quadrille/algorithms/packing/timed/even_rounds.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace urgent_first_test {
namespace {

Problem exchange(std::string_view spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
}

std::vector<uint32_t> in_order(size_t size) {
  std::vector<uint32_t> out(size);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

// Each hop comes after the one before it, no link carries more than it can, and none has room while somebody waits.
TEST(UrgentFirst, IsAScheduleInWhichNoLinkIsIdleForNothing) {
  for (const char* spec : {"jellyfish(8,3,2;1)", "fat_tree(2^3)", "mesh(3,4)"}) {
    const Problem problem = exchange(spec);
    const PricedPaths paths(problem);
    const std::vector<uint32_t> order = in_order(paths.size());
    UrgentFirst links(problem.topology(), paths, order);
    Rng rng(3);
    std::vector<uint32_t> keys(paths.num_hops());
    for (uint32_t& key : keys) key = static_cast<uint32_t>(rng.below(100));
    for (const bool backwards : {false, true}) {
      std::vector<uint32_t> step_of;
      const uint32_t steps = links.run(backwards, keys, step_of);
      std::map<std::pair<ArcId, uint32_t>, uint32_t> used;
      std::map<std::pair<ArcId, uint32_t>, uint32_t> waiting;
      for (size_t i = 0; i < paths.size(); ++i) {
        const size_t hops = paths.path(i).size();
        uint32_t ready = 0;
        for (size_t n = 0; n < hops; ++n) {
          const size_t h = backwards ? hops - 1 - n : n;
          const uint32_t step = step_of[paths.first_hop(i) + h];
          ASSERT_GE(step, ready);
          ASSERT_LT(step, steps);
          for (uint32_t t = ready; t < step; ++t) ++waiting[{paths.path(i)[h], t}];
          ++used[{paths.path(i)[h], step}];
          ready = step + 1;
        }
      }
      for (const auto& [slot, number] : used) EXPECT_LE(number, problem.topology().capacity(slot.first));
      for (const auto& [slot, number] : waiting)
        EXPECT_EQ(used[slot], problem.topology().capacity(slot.first)) << spec;
    }
  }
}

TEST(UrgentFirst, ServesTheLeastKeyAndThenWhoCameFirst) {
  const Problem problem = exchange("jellyfish(8,3,2;1)");
  const PricedPaths paths(problem);
  std::vector<uint32_t> order = in_order(paths.size());
  std::vector<uint32_t> keys(paths.num_hops(), 0);
  std::vector<uint32_t> step_of;
  UrgentFirst links(problem.topology(), paths, order);
  links.run(false, keys, step_of);
  EXPECT_EQ(step_of[paths.first_hop(0)], 0U) << "the first of its source";
  keys[paths.first_hop(0)] = 1;
  links.run(false, keys, step_of);
  EXPECT_EQ(step_of[paths.first_hop(0)], 14U) << "15 blocks over one link";
}

TEST(EvenRounds, HaveEverybodySendAndReceiveABlockARound) {
  const Problem problem = exchange("dragonfly(1,2,1)");
  const PricedPaths paths(problem);
  const Collective& collective = problem.collective();
  EvenRounds rounds(problem, paths);
  Rng rng(1);
  for (const uint64_t tries : {0U, 500U}) {
    const std::vector<uint32_t> round = rounds.found(rng, tries);
    std::set<std::pair<Rank, uint32_t>> sent;
    std::set<std::pair<Rank, uint32_t>> received;
    for (size_t i = 0; i < paths.size(); ++i) {
      EXPECT_TRUE(sent.emplace(collective.origin(paths.block(i)), round[i]).second);
      EXPECT_TRUE(received.emplace(collective.destination(paths.block(i)), round[i]).second);
      EXPECT_LT(round[i], collective.num_ranks());
    }
  }
}

}  // namespace
}  // namespace urgent_first_test
}  // namespace quadrille
