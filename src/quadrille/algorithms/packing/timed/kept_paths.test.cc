#include "quadrille/algorithms/packing/timed/kept_paths.h"

#include <gtest/gtest.h>

#include <thread>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace kept_paths_test {
namespace {

Problem exchange_with(const char* spec, const Model& model) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

TEST(KeptPaths, AreFoundAgainForTheSameSearchAlone) {
  const Problem problem = exchange_with("ring(4)", {});
  TimedPaths paths;
  paths.steps = 7;
  KeptPaths::keep(problem, paths);  // nobody keeps
  EXPECT_EQ(KeptPaths::find(problem), nullptr);
  {
    const KeptPaths kept;
    EXPECT_EQ(KeptPaths::find(problem), nullptr);
    KeptPaths::keep(problem, paths);
    {
      const KeptPaths inner;  // the first one counts
      ASSERT_NE(KeptPaths::find(exchange_with("ring(4)", {})), nullptr);
      EXPECT_EQ(KeptPaths::find(problem)->steps, 7U);
    }
    EXPECT_NE(KeptPaths::find(problem), nullptr);
    EXPECT_EQ(KeptPaths::find(exchange_with("ring(5)", {})), nullptr);
    EXPECT_EQ(KeptPaths::find(exchange_with("ring(4)", {.send = kOnePort})), nullptr);
    EXPECT_EQ(KeptPaths::find(exchange_with("ring(4)", {.duplex = Duplex::kHalf})), nullptr);
    const SearchLimits limits({.effort = 2});
    EXPECT_EQ(KeptPaths::find(problem), nullptr);
  }
  EXPECT_EQ(KeptPaths::find(problem), nullptr);
}

TEST(KeptPaths, OfASearchThatCameDownToItsBoundServeWhoeverKnowsNone) {
  const Problem problem = exchange_with("ring(4)", {});
  const SearchWishes bounded{.of = name_for_searches(problem), .least = 7};
  TimedPaths paths;
  for (const uint32_t steps : {7U, 8U}) {
    paths.steps = steps;
    const KeptPaths kept;
    {
      const SearchLimits limits(bounded);
      KeptPaths::keep(problem, paths);
      EXPECT_NE(KeptPaths::find(problem), nullptr);
    }
    EXPECT_EQ(KeptPaths::find(problem) != nullptr, steps == 7U);
  }
}

TEST(KeptPaths, ServeWhoeverWouldComeDownLessFar) {
  const Problem problem = exchange_with("ring(4)", {});
  TimedPaths paths;
  paths.steps = 9;
  const KeptPaths kept;
  KeptPaths::keep(problem, paths);  // as far as it can
  const SearchLimits limits({.of = name_for_searches(problem), .least = 7});
  ASSERT_NE(KeptPaths::find(problem), nullptr);
  EXPECT_EQ(KeptPaths::find(problem)->steps, 9U);
}

TEST(KeptPaths, AreFoundByThreadsThatShareAJob) {
  const Problem problem = exchange_with("ring(4)", {});
  const KeptPaths kept;
  KeptPaths* const here = KeptPaths::of_this_thread();
  std::thread other([&] {
    EXPECT_EQ(KeptPaths::of_this_thread(), nullptr);
    const KeptPaths of_job(here);
    TimedPaths paths;
    paths.steps = 7;
    KeptPaths::keep(problem, paths);
  });
  other.join();
  ASSERT_NE(KeptPaths::find(problem), nullptr);
  EXPECT_EQ(KeptPaths::find(problem)->steps, 7U);
}

TEST(KeptPaths, OfMoreHopsThanMemoryShouldHoldAreNot) {
  TimedPaths paths;
  paths.arcs.resize(size_t{5} << 20U);
  const Problem small = exchange_with("ring(4)", {});
  const Problem other = exchange_with("ring(5)", {});
  const KeptPaths kept;
  KeptPaths::keep(small, paths);
  KeptPaths::keep(other, paths);
  EXPECT_NE(KeptPaths::find(small), nullptr);
  EXPECT_EQ(KeptPaths::find(other), nullptr);
}

TEST(KeptPaths, KeepRoutesInLevelsWhateverThePorts) {
  const Problem all = exchange_with("ring(6)", {});
  const Problem one(all.topology(), all.collective(), {.send = kOnePort, .receive = kOnePort});
  EXPECT_NE(KeptPaths::level_routes(all, 3), KeptPaths::level_routes(all, 3));  // nobody keeps
  const KeptPaths kept;
  const auto routes = KeptPaths::level_routes(all, 3);
  EXPECT_EQ(KeptPaths::level_routes(one, 3), routes);
  EXPECT_NE(KeptPaths::level_routes(all, 4), routes);
  EXPECT_NE(KeptPaths::level_routes(exchange_with("line(6)", {}), 5), routes);
  EXPECT_EQ(KeptPaths::level_routes(all, 3)->rounds(), LevelRoutes(all, 3).rounds());
}

TEST(KeptPaths, KeepSwarmsThatAReductionReadsBackwards) {
  const Topology net = parse_topology("random_regular(12,3;1)");
  const Problem gather =
      standard_problem(net, CollectiveKind::kAllgather, {.send = kOnePort, .receive = kOnePort});
  const Problem scatter = standard_problem(net, CollectiveKind::kReduceScatter, gather.model());
  const Plan alone = swarm_blocks(gather, 1);
  const KeptPaths kept;
  EXPECT_EQ(KeptPaths::swarm(gather, good_enough_steps(gather, 1)), nullptr);
  const Plan made = swarm_blocks(gather, 1);
  const auto known = KeptPaths::swarm(reversed(scatter), good_enough_steps(gather, 1));
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->num_steps(), alone.num_steps());
  EXPECT_EQ(made.num_transfers(), alone.num_transfers());
  EXPECT_EQ(swarm_blocks(gather, 1).num_transfers(), alone.num_transfers());
  EXPECT_EQ(KeptPaths::swarm(gather, good_enough_steps(gather, 1) + 1), nullptr);
  EXPECT_EQ(KeptPaths::swarm(standard_problem(net, CollectiveKind::kAllgather), good_enough_steps(gather, 1)),
            nullptr);
}

}  // namespace
}  // namespace kept_paths_test
}  // namespace quadrille
