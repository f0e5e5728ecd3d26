#include "quadrille/compile/lending/by_time/timed_lending.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "quadrille/base/work_count.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/model/machine.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::timed_lending_test {
namespace {

Problem problem_on(const Topology& topology, CollectiveKind kind, Ports ports, Switching switching) {
  return standard_problem(
      topology, kind,
      {.send = ports, .receive = ports, .switching = switching, .cost = default_machine().cost});
}

// Of what is chosen for the size; made and judged on the way.
Compiled planned(const Problem& problem, uint64_t bytes, const std::string& algorithm = "auto") {
  const Compiled made =
      compile(problem, {.algorithm = algorithm, .bytes = bytes, .any_pieces = true, .stored = false});
  EXPECT_TRUE(made.verdict.passed());
  const StatedFigures& stated = made.head.stated_figures;
  EXPECT_EQ(stated.start_ups.value_or(made.verdict.figures.start_ups), made.verdict.figures.start_ups)
      << made.head.algorithm;
  EXPECT_EQ(stated.critical_blocks.value_or(made.verdict.figures.critical_blocks),
            made.verdict.figures.critical_blocks)
      << made.head.algorithm;
  return made;
}

constexpr std::array kPorts{kOnePort, Ports{2}, kAllPorts};

// Every collective on every machine, for one size: no weaker machine and no harder task takes less time.
void expect_no_contradictions(const char* spec, uint64_t bytes) {
  using enum CollectiveKind;
  const Topology topology = parse_topology(spec);
  for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
    std::map<CollectiveKind, double> weaker;
    for (const Ports ports : kPorts) {
      SCOPED_TRACE(::testing::Message() << spec << ", " << to_text(switching) << ", ports " << to_text(ports)
                                        << ", " << bytes << " bytes");
      std::map<CollectiveKind, double> of;
      for (const CollectiveKind kind : kCollectiveKinds) {
        const Compiled made = planned(problem_on(topology, kind, ports, switching), bytes);
        of[kind] = made.time->total;
        EXPECT_GE(of[kind] * (1 + 1e-9), made.time->least) << made.head.algorithm;
        if (weaker.contains(kind)) {
          EXPECT_LE(of[kind], weaker[kind] * (1 + 1e-9)) << name_of(kind) << ": fewer ports";
        }
      }
      const auto expect_no_longer = [&](CollectiveKind easy, CollectiveKind hard) {
        EXPECT_LE(of[easy], of[hard] * (1 + 1e-9)) << name_of(easy) << " and " << name_of(hard);
      };
      for (const auto& [one, other] : {std::pair(kReduce, kBroadcast), std::pair(kReduceScatter, kAllgather),
                                       std::pair(kGather, kScatter)}) {
        expect_no_longer(one, other);
        expect_no_longer(other, one);
      }
      expect_no_longer(kBroadcast, kAllgather);
      expect_no_longer(kScatter, kAlltoall);
      expect_no_longer(kGather, kAlltoall);
      expect_no_longer(kAllgather, kAlltoall);
      expect_no_longer(kReduce, kAllreduce);
      EXPECT_LE(of[kAllreduce], (of[kReduce] + of[kBroadcast]) * (1 + 1e-9));
      weaker = of;
    }
  }
}

// Eight GPUs of twelve links each around a switch: messages are cut so that all links are busy.
TEST(TimedLending, LongMessagesThroughASwitchTakeWhatTheirLinksTake) {
  const Topology box = parse_topology("fat_tree(8;12)");
  const auto over_the_bound = [&](CollectiveKind kind, Switching switching) {
    const Compiled made = planned(problem_on(box, kind, kAllPorts, switching), uint64_t{4} << 20U);
    return made.time->total / made.time->least;
  };
  // Two hops, the second a step behind the first; a worm goes both at once.
  EXPECT_LT(over_the_bound(CollectiveKind::kAllgather, Switching::kPacket), 1.14);
  EXPECT_LT(over_the_bound(CollectiveKind::kAllgather, Switching::kWormhole), 1.04);
  EXPECT_LT(over_the_bound(CollectiveKind::kAlltoall, Switching::kWormhole), 1.04);
  const Compiled once =
      planned(problem_on(box, CollectiveKind::kBroadcast, kAllPorts, Switching::kPacket), uint64_t{4} << 20U);
  const Compiled sum =
      planned(problem_on(box, CollectiveKind::kAllreduce, kAllPorts, Switching::kPacket), uint64_t{4} << 20U);
  EXPECT_LE(sum.time->total, once.time->total * 1.01);
}

TEST(TimedLending, NoHarderTaskAndNoWeakerMachineTakesLessTime) {
  expect_no_contradictions("line(3)", 64);
  if (!Sample::whole()) return;
  expect_no_contradictions("tree(2,2)", 64);
  expect_no_contradictions("ring(5)", uint64_t{1} << 16U);
  expect_no_contradictions("mesh(2,2)", uint64_t{1} << 26U);
}

TEST(TimedLendingSlow, NoContradictionsOnManyNetworks) {
  for (const char* spec :
       {"line(6)", "ring(8)", "complete(9)", "mesh(3,4)", "torus(3,4)", "hypercube(4)", "circulant(11;1,3)",
        "star(4)", "fat_tree(2^3)", "generalized_hypercube(2,4)", "cube_connected_cycles(3)"}) {
    for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 16U, uint64_t{1} << 26U})
      expect_no_contradictions(spec, bytes);
  }
}

TEST(TimedLending, NamesAreAcceptedBackAndTakeAsLong) {
  Sample sample(3);
  for (const char* spec : {"ring(6)", "mesh(2,3)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        for (const Ports ports : {kOnePort, kAllPorts}) {
          for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20U}) {
            if (!sample.takes()) continue;
            const Problem problem = problem_on(parse_topology(spec), kind, ports, switching);
            const Compiled made = planned(problem, bytes);
            const uint32_t pieces = made.head.problem.collective().pieces();
            const Problem again =
                standard_problem(problem.topology(), kind, problem.model(), kNoNode, pieces);
            const Compiled named =
                compile(again, {.algorithm = made.head.algorithm, .bytes = bytes, .stored = false});
            EXPECT_DOUBLE_EQ(named.time->total, made.time->total) << spec << " " << made.head.algorithm;
          }
        }
      }
    }
  }
}

TEST(TimedLending, ALoanThatIsAskedForIsMadeInThePiecesThatAreBestForIt) {
  const Problem problem =
      problem_on(parse_topology("torus(4,4)"), CollectiveKind::kReduce, kAllPorts, Switching::kPacket);
  const Compiled made = planned(problem, uint64_t{1} << 24U, "reversed(broadcast_disjoint_trees)");
  EXPECT_GE(made.head.problem.collective().pieces(), 64U);
  EXPECT_LE(made.time->total, 1.2 * made.time->least);
}

TEST(TimedLending, APacketPlanIsLentToWorms) {
  const Problem problem =
      problem_on(parse_topology("mesh(3,3)"), CollectiveKind::kBroadcast, kAllPorts, Switching::kWormhole);
  const Compiled made = planned(problem, uint64_t{1} << 26U);
  EXPECT_TRUE(made.head.algorithm.find("packet(broadcast_") != std::string::npos ||
              made.head.algorithm.find("packets(broadcast_") != std::string::npos)
      << made.head.algorithm;
  EXPECT_LE(made.time->total,
            planned(problem, uint64_t{1} << 26U, "packet(broadcast_disjoint_trees)").time->total);
}

TEST(TimedLending, MessagesOfManyPacketsAreLentToWorms) {
  const Topology petersen = parse_topology("generalized_petersen(5,2)");
  for (const auto& [kind, ports, bytes] : {std::tuple(CollectiveKind::kAllgather, kOnePort, 50'000U),
                                           std::tuple(CollectiveKind::kAlltoall, kOnePort, 4096U),
                                           std::tuple(CollectiveKind::kScatter, Ports{2}, 65'536U)}) {
    Wishes wishes{.bytes = bytes, .any_pieces = true, .stored = false};
    wishes.any_packets = true;
    const double packets = compile(problem_on(petersen, kind, ports, Switching::kPacket), wishes).time->total;
    for (const Switching switching : {Switching::kWormhole, Switching::kShared}) {
      const Compiled made = planned(problem_on(petersen, kind, ports, switching), bytes);
      EXPECT_LE(made.time->total, packets * (1 + 1e-9)) << name_of(kind) << " by " << made.head.algorithm;
    }
  }
}

// Two messages of packets over one link are one worm, also in what is put together of them.
// In the pieces that somebody gives, too: neither lenders' pieces nor steps count, but time.
TEST(TimedLending, GivenPiecesAreLentByTime) {
  const auto time_of = [](Switching switching, uint32_t pieces) {
    Problem problem = problem_on(parse_topology("mesh(3,3)"), CollectiveKind::kReduce, kAllPorts, switching);
    if (pieces != 0) problem = in_pieces(problem, pieces);
    const Compiled made = compile(
        problem, {.bytes = 1U << 20U, .any_pieces = pieces == 0, .any_packets = true, .stored = false});
    EXPECT_TRUE(made.verdict.passed());
    EXPECT_TRUE(pieces == 0 || made.head.problem.collective().pieces() == pieces);
    return made.time->total;
  };
  const double worms = time_of(Switching::kWormhole, 6);
  EXPECT_LE(worms, time_of(Switching::kPacket, 6) * (1 + 1e-9));
  EXPECT_LE(time_of(Switching::kWormhole, 0), worms * (1 + 1e-9));
}

TEST(TimedLending, WhatPacketsSendOverOneLinkIsOneWorm) {
  const Problem problem =
      problem_on(parse_topology("mesh(2,3)"), CollectiveKind::kAllreduce, kAllPorts, Switching::kWormhole);
  EXPECT_LE(planned(problem, 65'536).time->total, 14.0);
}

// Above 72 nodes lenders search no longer, but trees of packets are what long vectors go by.
TEST(TimedLending, TreesOfPacketsAreSearchedForWorms) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    const Problem problem = problem_on(parse_topology("torus(9,9)"), kind, kAllPorts, Switching::kWormhole);
    const Compiled made = planned(problem, uint64_t{1} << 26U);
    EXPECT_LE(made.time->total, 1.2 * made.time->least) << made.head.algorithm;
  }
}

// Neither links that are shared in a step, nor worms, are slower than packets one at a time.
TEST(TimedLendingSlow, TreesAndFlowsOfPacketsAreSearchedForPaths) {
  const Topology net = parse_topology("generalized_petersen(37,2)");
  for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather,
                                    CollectiveKind::kAllreduce, CollectiveKind::kBroadcast}) {
    const double packets = planned(problem_on(net, kind, kAllPorts, Switching::kPacket), 1 << 20).time->total;
    for (const Switching switching : {Switching::kShared, Switching::kWormhole}) {
      const Compiled made = planned(problem_on(net, kind, kAllPorts, switching), 1 << 20);
      EXPECT_LE(made.time->total, packets * (1 + 1e-9)) << name_of(kind) << " " << made.head.algorithm;
    }
  }
}

// Nor are links that are shared slower than worms that keep out of each other's way, whatever has to be searched for.
TEST(TimedLendingSlow, WormsAreSearchedForSharedLinks) {
  const Topology net = parse_topology("generalized_petersen(37,2)");
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter,
                                    CollectiveKind::kAllreduce, CollectiveKind::kBroadcast}) {
    const auto time = [&](Switching switching) {
      return planned(problem_on(net, kind, Ports{2}, switching), 1 << 16).time->total;
    };
    EXPECT_LE(time(Switching::kShared), time(Switching::kWormhole) * (1 + 1e-9)) << name_of(kind);
  }
}

TEST(TimedLending, LinksThatGoBothWaysTakeNoLongerThanThoseThatGoOneWayAtATime) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    Problem full = problem_on(parse_topology("mesh(3,3)"), kind, kOnePort, Switching::kPacket);
    Model model = full.model();
    model.duplex = Duplex::kHalf;
    const Problem half{full.topology(), full.collective(), model};
    const Compiled made = planned(full, uint64_t{1} << 24U);
    EXPECT_LE(made.time->total, planned(half, uint64_t{1} << 24U).time->total * (1 + 1e-9));
    EXPECT_LE(made.time->total, 1.03 * made.time->least) << made.head.algorithm;
  }
}

// In 6 pieces, as many as there are ranks, it takes longer than in 64, but less time than in 2 and in 4.
// Several steps of single packets are one of messages where start-ups cost more than what goes over a link.
TEST(TimedLending, StepsOfPacketsAreMergedIntoMessages) {
  const Problem problem =
      problem_on(parse_topology("mesh(3,5)"), CollectiveKind::kAlltoall, kOnePort, Switching::kPacket);
  Model many = problem.model();
  many.packets = Packets::kMany;
  const Compiled made = planned({problem.topology(), problem.collective(), many}, uint64_t{1} << 14U);
  EXPECT_NE(made.head.algorithm.find("merged_4("), std::string::npos) << made.head.algorithm;
  EXPECT_LT(made.time->total, 0.9 * planned(problem, uint64_t{1} << 14U).time->total);
  EXPECT_EQ(planned({problem.topology(), problem.collective(), many}, uint64_t{1} << 14U, made.head.algorithm)
                .time->total,
            made.time->total);
}

// What a plan leaves idle its mirror image uses, each with half of the data.
TEST(TimedLending, APlanAndItsMirrorImageGoSideBySide) {
  const Problem problem =
      problem_on(parse_topology("mesh(4,4)"), CollectiveKind::kAllreduce, kAllPorts, Switching::kPacket);
  Model many = problem.model();
  many.packets = Packets::kMany;
  const Compiled made = planned({problem.topology(), problem.collective(), many}, uint64_t{1} << 14U);
  EXPECT_NE(made.head.algorithm.find("mirrored("), std::string::npos) << made.head.algorithm;
  EXPECT_LT(made.time->total, 10);  // of cards 12.3
}

Problem of_many_packets(const Topology& topology, CollectiveKind kind, Ports ports) {
  const Problem problem = problem_on(topology, kind, ports, Switching::kPacket);
  Model many = problem.model();
  many.packets = Packets::kMany;
  return {problem.topology(), problem.collective(), many};
}
Problem of_many_packets(const char* spec, CollectiveKind kind, Ports ports) {
  return of_many_packets(parse_topology(spec), kind, ports);
}

// Above 72 nodes lenders do not search, but for the broadcast after the reduce, and the one that is the reduce read backwards.
TEST(TimedLendingSlow, AnAllreduceOfPacketsHasTheBroadcastsThatASearchFinds) {
  constexpr uint32_t kNodes = 90;
  TopologyBuilder builder("each linked to a third and a fifth of its number", kNodes);
  for (uint32_t v = 1; v < kNodes; ++v) builder.link(NodeId{v}, NodeId{v / 3});
  for (uint32_t v = 5; v < kNodes; ++v)
    if (v / 5 != v / 3) builder.link(NodeId{v}, NodeId{v / 5});
  const Compiled made = planned(of_many_packets(builder.build(), CollectiveKind::kAllreduce, Ports{2}), 8);
  EXPECT_LE(made.verdict.figures.start_ups, 10U) << made.head.algorithm;  // without them 13
}

// A switch of two ports, each of 14 lanes, sends to six hosts.
TEST(TimedLending, WhatAllPortsDoGoesThroughFewOnWideLinks) {
  for (const CollectiveKind kind :
       {CollectiveKind::kAllreduce, CollectiveKind::kBroadcast, CollectiveKind::kReduceScatter}) {
    const Problem problem = of_many_packets("fat_tree(6;14)", kind, Ports{2});
    const Compiled made = planned(problem, uint64_t{1} << 30U);
    EXPECT_NE(made.head.algorithm.find("through_ports_"), std::string::npos) << made.head.algorithm;
    EXPECT_LE(made.time->total, 1.04 * made.time->least)
        << name_of(kind);  // 1.9, 1.6 and 1.2 times that of cards
    EXPECT_LE(planned(problem, uint64_t{1} << 30U, made.head.algorithm).time->total, 1.01 * made.time->total);
  }
}

TEST(TimedLending, WideLinksAreFilledWithPiecesOfOneBlock) {
  const Compiled made = planned(of_many_packets("fat_tree(3,3;13,60)", CollectiveKind::kAllreduce, kAllPorts),
                                uint64_t{1} << 16U);
  EXPECT_NE(made.head.algorithm.find("together("), std::string::npos) << made.head.algorithm;
  EXPECT_LT(made.time->total, 5.1);  // of packed trees 7.3
  const Compiled paths = planned(
      problem_on(parse_topology("fat_tree(6;14)"), CollectiveKind::kAllgather, Ports{2}, Switching::kShared),
      uint64_t{1} << 30U);
  EXPECT_LE(paths.time->total, 1.001 * paths.time->least);  // in four pieces 1.4 times that
}

// Of an exchange everybody keeps one block for all: messages of many get shorter than the lender's.
TEST(TimedLending, AnExchangeLendsBeyondItsOwnTime) {
  const Topology torus = parse_topology("torus(3,5)");
  const auto time_of = [&](CollectiveKind kind) {
    return planned(problem_on(torus, kind, Ports{2}, Switching::kWormhole), 1 << 16).time->total;
  };
  EXPECT_LE(time_of(CollectiveKind::kReduce), time_of(CollectiveKind::kAllreduce) * (1 + 1e-9));
}

TEST(TimedLendingSlow, BothOfAProblemAndItsReversedOneGoBesideTheirImages) {
  const Topology complete = parse_topology("complete(16)");
  const auto time_of = [&](CollectiveKind kind) {
    return planned(problem_on(complete, kind, Ports{2}, Switching::kWormhole), 1 << 26).time->total;
  };
  EXPECT_NEAR(time_of(CollectiveKind::kReduce), time_of(CollectiveKind::kBroadcast), 1e-6);
}

// In a few batches their pipeline is not full, and twice as many save less and less.
// Whoever lists lanes, or tries every number of ports, has to stop before a link of three thousand million.
TEST(TimedLending, LinksMayBeAsWideAsCanBeSaid) {
  Sample sample(3);
  for (const uint32_t capacity : {400U, 3'000'000'000U}) {
    TopologyBuilder builder("wide", 4);
    for (uint32_t v = 0; v < 4; ++v)
      for (uint32_t w = v + 1; w < 4; ++w) builder.link(NodeId{v}, NodeId{w}, capacity);
    const Topology topology = builder.build();
    for (const CollectiveKind kind : kCollectiveKinds) {
      if (!sample.takes()) continue;
      const Problem problem = of_many_packets(topology, kind, Ports{2});
      SCOPED_TRACE(::testing::Message() << problem.title() << ", capacity " << capacity);
      const Compiled made = planned(problem, 1 << 20);
      EXPECT_GE(made.time->total * (1 + 1e-9), made.time->least) << made.head.algorithm;
    }
  }
}

TEST(TimedLendingSlow, APipelineThatFillsIsAskedInMorePieces) {
  const Problem problem = of_many_packets("mesh(3,5)", CollectiveKind::kAllreduce, kAllPorts);
  const double combs = planned(problem, uint64_t{1} << 26U, "allreduce_combs").time->total;
  const Compiled made = planned(problem, uint64_t{1} << 26U);
  EXPECT_LE(combs, 1.08 * made.time->least);
  EXPECT_LT(made.time->total, 0.99 * combs) << made.head.algorithm;
}

TEST(TimedLending, MorePiecesAreTriedEvenWhereAnotherNumberIsBetterThanAFew) {
  const Problem problem =
      problem_on(parse_topology("mesh(2,3)"), CollectiveKind::kBroadcast, kOnePort, Switching::kWormhole);
  EXPECT_LE(planned(problem, uint64_t{1} << 26U).time->total, 5579.0);
}

// Lenders do not search on networks of more than 72 nodes, but the reversed problem is the same one.
TEST(TimedLending, AProblemAndItsReversedOneAreSearchedAlike) {
  using enum CollectiveKind;
  const Topology topology = parse_topology("dragonfly(2,4,2)");
  for (const auto& [one, other, switching] : {std::tuple(kBroadcast, kReduce, Switching::kPacket),
                                              std::tuple(kAllgather, kReduceScatter, Switching::kWormhole)}) {
    const double time = planned(problem_on(topology, one, Ports{2}, switching), 64).time->total;
    EXPECT_NEAR(planned(problem_on(topology, other, Ports{2}, switching), 64).time->total, time, 1e-9 * time)
        << name_of(other);
  }
}

// Who only wants what takes less than something known searches less, and finds the same.
TEST(TimedLending, WhatIsKnownToTakeLongerIsNotSearchedFor) {
  Model model;
  model.cost = {.ts = 1 << 20, .tx = 1};
  const Problem problem = standard_problem(parse_topology("torus(3,3)"), CollectiveKind::kBroadcast, model);
  constexpr uint64_t kBytes = uint64_t{1} << 26U;
  const auto searches = [&](double limit, double& time) {
    const uint64_t before = work_counted(Work::kSearching);
    TimedLending lending(problem, 1);
    const std::optional<Choice> found = lending.best_for(kBytes, 0, limit);
    if (found) time = time_for(*found, kBytes);
    return work_counted(Work::kSearching) - before;
  };
  double time = 0;
  double again = 0;
  const uint64_t all = searches(kNever, time);
  const uint64_t fewer = searches(1.25 * time, again);
  EXPECT_EQ(again, time);
  EXPECT_LT(3 * fewer, 2 * all) << "slower machines may not take less as they are";
}

TEST(TimedLending, OneSizeAfterTheOtherIsAnsweredLikeEachByItself) {
  const Problem problem =
      problem_on(parse_topology("ring(6)"), CollectiveKind::kReduce, Ports{2}, Switching::kWormhole);
  TimedLending lending(problem, 1);
  for (const uint64_t bytes : {uint64_t{1} << 26U, uint64_t{64}, uint64_t{1} << 16U, uint64_t{64}}) {
    const std::optional<Choice> choice = lending.best_for(bytes, 0);
    const std::optional<Choice> alone = choose_by_time(problem, bytes, 0, 1);
    ASSERT_TRUE(choice && alone);
    EXPECT_EQ(choice->name(), alone->name());
    EXPECT_EQ(choice->reason, alone->reason);
    EXPECT_EQ(choice->plan->problem().collective().pieces(), alone->plan->problem().collective().pieces());
  }
}

// Doubling finds 16 pieces in 7 steps, and 11 in 6 are faster.
TEST(TimedLendingSlow, OfWormsEveryNumberOfAFewPiecesIsLookedAt) {
  for (const auto& [spec, ports] :
       {std::pair("torus(5,5,5)", kAllPorts), std::pair("random_regular(100,5;3)", Ports{2})}) {
    const Problem problem =
        problem_on(parse_topology(spec), CollectiveKind::kBroadcast, ports, Switching::kWormhole);
    const double chosen = planned(problem, uint64_t{1} << 16U).time->total;
    for (uint32_t pieces = 5; pieces <= 16; ++pieces) {
      const Problem split = in_pieces(problem, pieces);
      const Compiled made =
          compile(split, {.algorithm = "broadcast_worm_swarm", .bytes = uint64_t{1} << 16U});
      EXPECT_LE(chosen, made.time->total * (1 + 1e-9)) << spec << " in " << pieces;
    }
  }
}

// Its steps in 8 and 16 pieces promise nothing of what it takes in 256.
TEST(TimedLending, ASearchThatFillsALongPipelineLateIsNotGivenUp) {
  const Problem problem =
      problem_on(parse_topology("line(16)"), CollectiveKind::kBroadcast, kOnePort, Switching::kWormhole);
  constexpr uint64_t kBytes = uint64_t{1} << 26U;
  const double named = planned(problem, kBytes, "broadcast_worm_swarm").time->total;
  EXPECT_LT(named, planned(problem, kBytes, "broadcast_bfs_tree").time->total);
  EXPECT_LE(planned(problem, kBytes).time->total, named * (1 + 1e-9));
}

// The search of a stream ends sooner while many numbers of pieces are asked: what is chosen is searched for once more, both ways.
TEST(TimedLending, AStreamIsSearchedForAsLongWhicheverWayItGoes) {
  using enum CollectiveKind;
  const Wishes wishes{.bytes = uint64_t{1} << 26U, .any_pieces = true, .any_packets = true, .stored = false};
  std::map<CollectiveKind, double> of;
  for (const CollectiveKind kind : {kBroadcast, kReduce})
    of[kind] = compile(problem_on(parse_topology("ring(13)"), kind, kOnePort, Switching::kPacket), wishes)
                   .time->total;
  EXPECT_NEAR(of[kReduce], of[kBroadcast], 1e-9 * of[kBroadcast]);
}

// Packets that come near the bound are merged all the same: that takes a moment.
TEST(TimedLending, PacketsNearTheBoundAreMergedToo) {
  using enum CollectiveKind;
  for (const CollectiveKind kind : {kScatter, kGather}) {
    Problem problem =
        problem_on(parse_topology("random_regular(18,4;2)"), kind, kAllPorts, Switching::kPacket);
    Model many = problem.model();
    many.packets = Packets::kMany;
    const Compiled made = planned({problem.topology(), problem.collective(), many}, uint64_t{1} << 26U);
    EXPECT_LT(2 * made.verdict.figures.start_ups, *made.head.stated_figures.critical_blocks + 2)
        << made.head.algorithm;
  }
}

// An exchange of small blocks takes fewer messages than what gathers them, however long the exchange itself takes.
TEST(TimedLending, AnAllreduceOfWormsTakesNoLongerWithMorePorts) {
  std::map<bool, double> of;
  for (const bool all : {false, true})
    of[all] = planned(problem_on(parse_topology("torus(6,6)"), CollectiveKind::kAllreduce,
                                 all ? kAllPorts : Ports{2}, Switching::kWormhole),
                      uint64_t{1} << 16U)
                  .time->total;
  EXPECT_LE(of[true], of[false] * (1 + 1e-9));
}

}  // namespace
}  // namespace quadrille::timed_lending_test
