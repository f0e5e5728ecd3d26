#include "quadrille/compile/lending/by_time/large_by_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "quadrille/base/work_count.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace large_by_time_test {

Problem timed(const char* spec, CollectiveKind kind, Switching switching, Ports ports) {
  return standard_problem(parse_topology(spec), kind,
                          {.send = ports,
                           .receive = ports,
                           .switching = switching,
                           .cost = {.ts = 1, .tx = 8e-5, .in_microseconds = true}});
}

// What auto takes, judged; not less than any plan.
double time_of_auto(const Problem& problem, uint64_t bytes) {
  Wishes wishes{.bytes = bytes, .any_pieces = true};
  wishes.any_packets = problem.model().switching == Switching::kPacket;
  const Compiled made = compile(problem, wishes);
  EXPECT_TRUE(made.good()) << problem.title() << " by " << made.head.algorithm;
  EXPECT_LE(made.time->least, made.time->total * (1 + 1e-9)) << problem.title();
  return made.time->total;
}

// A few nodes too many for TimedLending.
constexpr const char* kTorus = "torus(10,13)";

TEST(LargeByTime, LongVectorsStreamDownDisjointTreesInThePiecesThatTheFlowAsksFor) {
  for (const auto& [spec, kind] : {std::pair("torus(12,12)", CollectiveKind::kBroadcast),
                                   std::pair("mesh(9,16)", CollectiveKind::kReduce)}) {
    const Problem problem = timed(spec, kind, Switching::kPacket, kAllPorts);
    const Compiled made = compile(problem, {.bytes = uint64_t{1} << 20U, .any_pieces = true});
    EXPECT_TRUE(made.good());
    EXPECT_THAT(made.head.algorithm, ::testing::HasSubstr("disjoint_trees")) << spec;
    EXPECT_LE(made.time->total, 1.03 * made.time->least) << spec;
  }
}

// Worms come near the bound, and packets are sure to take longer: so their paths are not searched for meanwhile.
TEST(LargeByTimeSlow, ExchangesOfLongWormsAreAskedBeforeLenders) {
  for (const Switching switching : {Switching::kWormhole, Switching::kShared}) {
    const Problem problem = timed("mesh(14,14)", CollectiveKind::kAlltoall, switching, kOnePort);
    const uint64_t before = work_counted(Work::kSearching);
    EXPECT_LE(time_of_auto(problem, uint64_t{1} << 16U), 9'300);
    EXPECT_LE(work_counted(Work::kSearching) - before, 45U);  // beside each other 55 and 72
  }
}

// Where all are neighbours the cards say at once what is within two per cent of the bound.
TEST(LargeByTime, NeighboursOfAllNeedNoLenders) {
  const Problem problem = timed("complete(256)", CollectiveKind::kReduce, Switching::kShared, kOnePort);
  const uint64_t before = work_counted(Work::kSearching);
  const Compiled made = compile(problem, {.bytes = uint64_t{1} << 16U, .any_pieces = true});
  EXPECT_LE(made.time->total, 1.025 * made.time->least) << made.head.algorithm;
  EXPECT_LE(work_counted(Work::kSearching) - before, 2U);
}

// Through scatter and allgather twice the time, and more.
TEST(LargeByTime, LongVectorsSwarmThroughFewPorts) {
  for (const Ports few : {kOnePort, Ports{2}}) {
    const Problem problem = timed("mesh(12,13)", CollectiveKind::kBroadcast, Switching::kPacket, few);
    const Compiled made = compile(problem, {.bytes = uint64_t{1} << 24U, .any_pieces = true});
    EXPECT_TRUE(made.good());
    EXPECT_LE(made.time->total, 1.08 * made.time->least) << made.head.algorithm;
  }
}

// Up and down in the same pieces: what comes down in given pieces was looked for among plans of one piece alone, and took twice
// as long.
TEST(LargeByTimeSlow, WormsThatGoUpInPiecesComeDownInThem) {
  const auto time_of = [](CollectiveKind kind) {
    return time_of_auto(timed("mesh(9,16)", kind, Switching::kWormhole, kAllPorts), uint64_t{1} << 16U);
  };
  EXPECT_LE(time_of(CollectiveKind::kAllreduce),
            (time_of(CollectiveKind::kReduce) + time_of(CollectiveKind::kBroadcast)) * (1 + 1e-9));
}

// What no plan takes less than, if a step has many packets.
double least_of_many(const Problem& problem, uint64_t bytes) {
  Model many = problem.model();
  many.packets = Packets::kMany;
  const Problem wide{problem.topology(), problem.collective(), many};
  return least_time(wide, bytes, all_bounds(wide)).time;
}

// Whatever the size: as many start-ups as the farthest node is hops away, and with one port no round too many.
TEST(LargeByTime, AScatterLeavesJustInTime) {
  for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather}) {
    for (const uint64_t bytes : {uint64_t{64}, uint64_t{4096}}) {
      for (const char* spec : {"mesh(11,13)", "hypercube(8)"}) {
        const Problem problem = timed(spec, kind, Switching::kPacket, kOnePort);
        EXPECT_LE(time_of_auto(problem, bytes), least_of_many(problem, bytes) * 1.0001)
            << spec << ", " << bytes;
      }
      const Problem problem = timed("torus(11,13)", kind, Switching::kPacket, kAllPorts);
      EXPECT_LE(time_of_auto(problem, bytes), least_of_many(problem, bytes) * 1.1) << bytes;
    }
  }
}

TEST(LargeByTime, OnMeshesAnAllgatherGoesRoundPairsOfLines) {
  Sample some(3);
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    for (const uint64_t bytes : {uint64_t{64}, uint64_t{4096}}) {
      if (!some.takes()) continue;  // the first and the last
      const Problem problem = timed("mesh(12,14)", kind, Switching::kPacket, kOnePort);
      EXPECT_LE(time_of_auto(problem, bytes), least_of_many(problem, bytes) * 1.08) << bytes;
    }
  }
}

// As many pieces as a plan may have, where more would be better: eleven trees on 486 nodes.
TEST(LargeByTime, StreamsInNoMorePiecesThanAPlanMayHave) {
  const Problem problem =
      timed("torus(3,3,3,3,2,3)", CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
  const std::optional<Choice> found = LargeByTime(problem, 2).best_for(uint64_t{1} << 28U, kNever);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->name(), ::testing::HasSubstr("disjoint_trees"));
}

// A root that reaches everybody in one step scatters so, and what it has scattered is gathered in few.
TEST(LargeByTime, ScattersInOneStepWherePathsShareLinks) {
  const Problem problem = timed("torus(12,12)", CollectiveKind::kBroadcast, Switching::kShared, kAllPorts);
  const Compiled made = compile(problem, {.bytes = uint64_t{1} << 16U, .any_pieces = true});
  EXPECT_TRUE(made.good());
  EXPECT_THAT(made.head.algorithm, ::testing::HasSubstr("scatter_linear + allgather_levels"));
}

// Of switches with many ports few are used best.
TEST(LargeByTime, MorePortsOfSwitchesAreNotSlower) {
  const auto time = [](uint32_t ports) {
    const Problem problem = timed("clos(8)", CollectiveKind::kScatter, Switching::kPacket, Ports{ports});
    return time_of_auto(problem, uint64_t{1} << 16U);
  };
  EXPECT_LE(time(3), time(2));
}

// A gossip of pairs has the fewest start-ups, and by far not the fewest rounds.
TEST(LargeByTime, FewStepsAreNotTakenForLittleTime) {
  const Problem problem =
      timed("random_regular(132,4;1)", CollectiveKind::kAlltoall, Switching::kPacket, kOnePort);
  Wishes wishes{.bytes = 4096, .any_pieces = true, .any_packets = true};
  const double best = compile(problem, wishes).time->total;
  wishes.algorithm = "alltoall_combining";
  EXPECT_LE(best, compile(problem, wishes).time->total * (1 + 1e-9));
  wishes.algorithm = "alltoall_pair_gossip";
  EXPECT_LT(best, compile(problem, wishes).time->total / 2);
}

// Whole they would go from node to node.
TEST(LargeByTime, StreamsOnMoreThanAThousandNodes) {
  for (const auto& [spec, most] : {std::pair("torus(40,40)", 1.01), std::pair("dragonfly(4,8,4)", 1.01)}) {
    const Problem down = timed(spec, CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
    const LeastTime least(down, all_bounds(down));
    const uint64_t bytes = uint64_t{1} << 26U;
    const std::optional<Choice> found = LargeByTime(down, 2).best_for(bytes, kNever);
    ASSERT_TRUE(found) << spec;
    EXPECT_LE(time_for(*found, bytes), most * least(bytes).time) << spec << " by " << found->name();
    const Problem up = timed(spec, CollectiveKind::kReduce, Switching::kPacket, kAllPorts);
    const std::optional<Choice> back = LargeByTime(up, 2).best_for(bytes, kNever);
    ASSERT_TRUE(back) << spec;
    EXPECT_NEAR(time_for(*back, bytes), time_for(*found, bytes), 0.01 * least(bytes).time) << back->name();
  }
}

// A look ahead, whole or cut short, is a look for the same.
TEST(LargeByTimeSlow, ALookAheadChangesNothing) {
  for (const auto& [kind, ports, bytes] :
       {std::tuple(CollectiveKind::kAllreduce, kAllPorts, uint64_t{1} << 16U),
        std::tuple(CollectiveKind::kReduceScatter, kOnePort, uint64_t{64})}) {
    const Problem problem = timed(kTorus, kind, Switching::kShared, ports);
    const std::optional<Choice> alone = LargeByTime(problem, 2).best_for(bytes, 1e9);
    ASSERT_TRUE(alone) << problem.title();
    const double time = time_for(*alone, bytes);
    const auto found_after = [&problem, message = bytes](double known_before, double known,
                                                         std::optional<double> told) {
      LargeByTime search(problem, 2);
      if (told) search.is_known(*told);
      search.look_ahead(message, known_before);
      return search.best_for(message, known);
    };
    // Before the cards were asked something was known, or nothing; and of what they said all is told, or nothing.
    for (const double known_before : {kNever, 1e9, time * 1.5, time / 2}) {
      for (const std::optional<double> told : {std::optional<double>(), std::optional(time * 1.2)}) {
        const std::optional<Choice> found =
            found_after(known_before, std::min(known_before, time * 1.2), told);
        if (known_before < time) {
          EXPECT_FALSE(found) << problem.title();
          continue;
        }
        ASSERT_TRUE(found) << problem.title();
        EXPECT_EQ(found->name(), alone->name()) << problem.title();
        EXPECT_EQ(time_for(*found, bytes), time) << problem.title();
      }
    }
    // Nothing takes no time at all: the look is cut short, and what it kept is forgotten.
    const std::optional<Choice> after_cut = found_after(1e9, 1e9, 0.0);
    ASSERT_TRUE(after_cut) << problem.title();
    EXPECT_EQ(after_cut->name(), alone->name()) << problem.title();
    EXPECT_EQ(time_for(*after_cut, bytes), time) << problem.title();
  }
}

TEST(LargeByTimeSlow, AMachineThatCanDoMoreAndTheReversedCollectiveAreNoSlower) {
  for (const Ports ports : {kOnePort, kAllPorts}) {
    for (const auto& [out, back] : {std::pair(CollectiveKind::kBroadcast, CollectiveKind::kReduce),
                                    std::pair(CollectiveKind::kAllgather, CollectiveKind::kReduceScatter)}) {
      double slower = kNever;
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        const double there = time_of_auto(timed(kTorus, out, switching, ports), 1 << 16);
        EXPECT_LE(there, slower * (1 + 1e-9)) << name_of(out);
        EXPECT_NEAR(time_of_auto(timed(kTorus, back, switching, ports), 1 << 16), there, 0.02 * there)
            << name_of(back);
        slower = there;
      }
    }
  }
}

// No card adds up by a swarm of worms; the broadcast's, read backwards, does.
TEST(LargeByTimeSlow, AVectorIsAddedUpByWormsAsItIsSentOut) {
  for (const Ports ports : {kOnePort, kAllPorts}) {
    const auto time = [&](CollectiveKind kind) {
      return time_of_auto(timed(kTorus, kind, Switching::kWormhole, ports), 1 << 16);
    };
    EXPECT_LE(time(CollectiveKind::kReduce), 1.02 * time(CollectiveKind::kBroadcast));
  }
}

TEST(LargeByTimeSlow, WhatIsFoundTakesLessThanWhatIsKnownAndIsMadeAsItSays) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kAllreduce}) {
    const Problem problem = timed("hypercube(8)", kind, Switching::kWormhole, kOnePort);
    LargeByTime search(problem, 2);
    for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 16U, uint64_t{1} << 20U}) {
      const std::optional<Choice> found = search.best_for(bytes, kNever);
      ASSERT_TRUE(found) << name_of(kind);
      const double time = time_for(*found, bytes);
      EXPECT_FALSE(search.best_for(bytes, time));
      Judge judge(found->plan->problem());
      found->generate(judge);
      const Verdict verdict = judge.finish();
      EXPECT_TRUE(verdict.passed()) << found->name();
      EXPECT_EQ(found->prediction.start_ups, verdict.figures.start_ups) << found->name();
      EXPECT_EQ(found->prediction.critical_blocks, verdict.figures.critical_blocks) << found->name();
    }
  }
}

// 64 bytes, by worms: as many start-ups as a broadcast has, whichever way it goes, and both ways.
// Combs send what goes up and what comes down over one link in a step: that is two messages, and no worms' plan.
TEST(LargeByTime, SumsThatShareALinkAreNotLentToWorms) {
  const Problem problem = timed("mesh(10,13)", CollectiveKind::kAllreduce, Switching::kWormhole, kAllPorts);
  EXPECT_GT(time_of_auto(problem, uint64_t{1} << 22U), 0);
}

// Switches of one port each send every sum to their hosts, and add up what these have: trees share that out.
TEST(LargeByTimeSlow, SumsGoUpAndDownPackedTreesThroughSwitches) {
  const Problem problem =
      timed("xgft(2,6,12;1,3,3)", CollectiveKind::kAllreduce, Switching::kPacket, kOnePort);
  const Compiled made =
      compile(problem, {.bytes = uint64_t{1} << 26U, .any_pieces = true, .any_packets = true});
  EXPECT_TRUE(made.good());
  EXPECT_LE(made.time->total, 1.15 * made.time->least) << made.head.algorithm;
}

TEST(LargeByTime, ShortVectorsGoWholeUpATreeOfPathsAndDownIt) {
  const auto time = [](CollectiveKind kind) {
    return time_of_auto(timed("mesh(10,14)", kind, Switching::kWormhole, kAllPorts), 64);
  };
  const double broadcast = time(CollectiveKind::kBroadcast);
  EXPECT_NEAR(time(CollectiveKind::kReduce), broadcast, 1e-6);
  EXPECT_LE(time(CollectiveKind::kAllreduce), 2 * broadcast + 1e-6);
}

// Lines need no search for who is whose neighbour, however many ranks there are.
TEST(LargeByTime, PacketsOfOnePortGoAlongTheLinesOfLargeTori) {
  const Problem problem = timed("torus(16,20)", CollectiveKind::kAllreduce, Switching::kPacket, kOnePort);
  const Compiled made =
      compile(problem, {.bytes = uint64_t{1} << 20U, .any_pieces = true, .any_packets = true});
  EXPECT_TRUE(made.good());
  EXPECT_EQ(made.head.algorithm, "reduce_scatter_neighbor_exchange + allgather_neighbor_exchange");
  EXPECT_EQ(made.verdict.figures.start_ups, 2 * (8 + 10));
  EXPECT_EQ(made.verdict.figures.critical_blocks, 2 * (320 - 1));
}

TEST(LargeByTime, ShortBlocksGoByGossipAndBackwardsAsFast) {
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    const Problem problem = timed("random_regular(400,5;1)", kind, Switching::kPacket, kOnePort);
    const Compiled made = compile(problem, {.bytes = 64, .any_pieces = true, .any_packets = true});
    EXPECT_TRUE(made.good());
    EXPECT_THAT(made.head.algorithm, ::testing::HasSubstr("pair_gossip"));
    EXPECT_LE(made.time->total, 20.0) << "one block a step takes 700 start-ups, up a tree and down it 36";
  }
}

TEST(LargeByTimeSlow, ReducesAreNoSlowerThanTheirBroadcasts) {
  const auto time = [](CollectiveKind kind) {
    return time_of_auto(timed("torus(32,32)", kind, Switching::kPacket, kOnePort), uint64_t{1} << 20U);
  };
  EXPECT_NEAR(time(CollectiveKind::kReduce), time(CollectiveKind::kBroadcast), 1e-6);
}

TEST(LargeByTimeSlow, PathsTakeNoMoreThanPacketsForAnExchange) {
  for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20U}) {
    const auto time = [&](Switching switching) {
      return time_of_auto(timed("random_regular(260,5;1)", CollectiveKind::kAlltoall, switching, kAllPorts),
                          bytes);
    };
    EXPECT_LE(time(Switching::kWormhole), time(Switching::kPacket) * (1 + 1e-9)) << bytes;
  }
}

// What is gathered at one node is asked for beside what is gathered at the first, as a part of a harder task: before, one was
// taken for the other, and the judge rejected it.
TEST(LargeByTime, BlocksAreGatheredAtWhicheverNodeIsTheRoot) {
  const Model model = timed("line(2)", CollectiveKind::kGather, Switching::kPacket, kOnePort).model();
  for (const char* root : {"5", "7"})
    (void)time_of_auto(make_problem(parse_topology("dragonfly(3,6,3)"), CollectiveKind::kGather, model, root),
                       4096);
}

// Links of one way, too, whichever way the vector goes: before, these took 3 to 9 times the least.
TEST(LargeByTimeSlow, LongVectorsStreamOverLinksOfOneWay) {
  for (const auto& [kind, ports, times] : {std::tuple(CollectiveKind::kBroadcast, kOnePort, 1.2),
                                           std::tuple(CollectiveKind::kReduce, kOnePort, 1.2),
                                           std::tuple(CollectiveKind::kReduce, kAllPorts, 1.2),
                                           std::tuple(CollectiveKind::kAllreduce, kOnePort, 1.5)}) {
    const Problem problem = timed("generalized_kautz(200,4)", kind, Switching::kPacket, ports);
    EXPECT_TRUE(is_chosen_by_time_at_large(problem));
    const std::vector<Bound> bounds = all_bounds(problem);  // of single packets
    const uint64_t bytes = uint64_t{1} << 20U;
    EXPECT_LE(time_of_auto(problem, bytes), times * least_time(problem, bytes, bounds).time)
        << problem.title();
  }
}

TEST(LargeByTime, IsForLargeNetworksWhoseTimeIsStartUpsAndBytes) {
  const auto asked = [](const char* spec) {
    return is_chosen_by_time_at_large(timed(spec, CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts));
  };
  EXPECT_FALSE(asked("torus(8,16)"));
  EXPECT_TRUE(asked("torus(8,17)"));
  EXPECT_TRUE(asked("torus(32,32)"));
  EXPECT_TRUE(asked("torus(64,64)"));
  EXPECT_FALSE(asked("torus(128,128)"));
  EXPECT_TRUE(asked("generalized_kautz(200,4)"));
  Problem hops = timed("torus(8,17)", CollectiveKind::kBroadcast, Switching::kPacket, kAllPorts);
  Model model = hops.model();
  model.cost.tl = 1;
  EXPECT_FALSE(is_chosen_by_time_at_large({hops.topology(), hops.collective(), model}));
}

}  // namespace large_by_time_test
}  // namespace quadrille
