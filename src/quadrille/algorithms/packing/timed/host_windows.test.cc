// Host rounds and host windows: that rounds stay permutations, and what the timetables come to.
#include "quadrille/algorithms/packing/timed/host_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/timed/host_rounds.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace host_windows_test {
namespace {

Problem exchange_on(const std::string& spec, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {}, kNoNode, pieces);
}

void expect_permutations(const Problem& problem, const PricedPaths& paths, const HostRounds& rounds) {
  std::set<std::pair<uint32_t, uint32_t>> sent;
  std::set<std::pair<uint32_t, uint32_t>> received;
  for (uint32_t i = 0; i < paths.size(); ++i) {
    const uint32_t round = rounds.round_of(i);
    EXPECT_LT(round, rounds.num_rounds());
    const auto from = index(problem.collective().origin(paths.block(i)));
    const auto to = index(problem.collective().destination(paths.block(i)));
    EXPECT_TRUE(sent.emplace(round, from).second);
    EXPECT_TRUE(received.emplace(round, to).second);
  }
}

TEST(HostRounds, StayPermutationsHoweverTheyAreExchanged) {
  for (const uint32_t pieces : {1U, 2U}) {
    const Problem problem = exchange_on("jellyfish(8,3,2;1)", pieces);
    const PricedPaths paths(problem);
    Rng rng{3};
    HostRounds rounds(problem, paths, rng);
    EXPECT_EQ(rounds.num_rounds(), 15 * pieces);
    expect_permutations(problem, paths, rounds);
    for (int t = 0; t < 200; ++t) {
      const auto block = static_cast<uint32_t>(rng.below(paths.size()));
      const uint32_t before = rounds.round_of(block);
      const auto other = static_cast<uint32_t>(rng.below(rounds.num_rounds()));
      if (other == before) continue;
      const auto chain = rounds.chain(block, other, 2 * problem.collective().num_ranks());
      ASSERT_FALSE(chain.empty());
      EXPECT_EQ(chain.front(), block);
      rounds.exchange(chain);
      EXPECT_EQ(rounds.round_of(block), other);
    }
    expect_permutations(problem, paths, rounds);
    rounds.even_out(problem, paths, 6, 1000, rng);
    expect_permutations(problem, paths, rounds);
  }
}

TEST(HostRounds, LongChainsAreNoneWhereAShortOneIsAskedFor) {
  const Problem problem = exchange_on("jellyfish(8,3,2;1)");
  const PricedPaths paths(problem);
  Rng rng{3};
  HostRounds rounds(problem, paths, rng);
  for (uint32_t other = 1; other < rounds.num_rounds(); ++other)
    if (rounds.round_of(0) != other) {
      EXPECT_LE(rounds.chain(0, other, 6).size(), 6U);
    }
}

TEST(HostWindows, KnowHostsOfOneLinkWithAllPorts) {
  EXPECT_TRUE(HostWindows::knows(exchange_on("jellyfish(8,3,2;1)")));
  EXPECT_FALSE(HostWindows::knows(exchange_on("torus(4,4)")));
  EXPECT_FALSE(HostWindows::knows(exchange_on("xgft(2,2;1,2;4,2)")));  // wide links
  const Topology net = parse_topology("jellyfish(8,3,2;1)");
  EXPECT_FALSE(HostWindows::knows(
      standard_problem(net, CollectiveKind::kAlltoall, Model{.send = kOnePort, .receive = kOnePort})));
  EXPECT_FALSE(
      HostWindows::knows(standard_problem(net, CollectiveKind::kAlltoall, Model{.duplex = Duplex::kHalf})));
  EXPECT_FALSE(HostWindows::knows(standard_problem(net, CollectiveKind::kAllgather)));
}

TEST(HostWindows, TimetablesAreJudgedAndOfAsManyStepsAsAsked) {
  for (const std::string spec : {"jellyfish(8,4,2;3)", "megafly(2,2,2,2)", "dragonfly(2,2,1)", "clos(4)"}) {
    for (const uint32_t pieces : {1U, 2U}) {
      const Problem problem = exchange_on(spec, pieces);
      const PricedPaths paths(problem);
      const uint32_t most = 2 * pieces * problem.collective().num_ranks();
      HostWindows windows(problem, paths, most, 20'000'000);
      EXPECT_FALSE(HostWindows(problem, paths, most, 1000).within(windows.least_steps() - 1));
      for (const uint32_t steps : {most, most - 3, windows.least_steps() + 4}) {
        const std::optional<TimedPaths> found = windows.within(steps);
        if (!found) break;
        EXPECT_EQ(found->steps, steps);
        Plan plan;
        found->generate(plan);
        const Verification judged = verify(problem, std::move(plan));
        EXPECT_TRUE(judged.verdict.passed()) << problem.title();
        EXPECT_EQ(judged.verdict.figures.steps, steps) << problem.title();
      }
    }
  }
}

// Before, by list scheduling of rounds: 36 and 19 steps, bounds 34 and 18.
TEST(HostWindows, AreShorterThanOrdersOfPaths) {
  for (const auto& [spec, steps] : {std::pair{"jellyfish(16,5,2;4)", 35U}, {"jellyfish(8,4,2;3)", 18U}}) {
    const Problem problem = exchange_on(spec);
    EXPECT_LE(schedule_paths(problem, PricedPaths(problem)).steps, steps) << spec;
  }
}

TEST(HostWindows, GiveUpWhenTheWorkIsDone) {
  const Problem problem = exchange_on("megafly(2,2,2,2)");
  const PricedPaths paths(problem);
  HostWindows windows(problem, paths, 40, 1'000);
  EXPECT_FALSE(windows.within(windows.least_steps()));
}

}  // namespace
}  // namespace host_windows_test
}  // namespace quadrille
