// The worm simulator against its formulas, against the naive one, and where nothing can move.
#include "quadrille/sim/worm_simulator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/sim/naive_worms.test.h"
#include "quadrille/sim/packed/packed_worms.h"
#include "quadrille/sim/uncontended_worms.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace worm_simulator_test {
namespace {

Traffic one_message(const Topology& network, NodeId from, NodeId to, uint32_t flits) {
  const Parcel demand{from, to, flits};
  return traffic_of(network, std::span(&demand, 1));
}

// All four nodes of a ring send two hops the same way.
Traffic round_the_ring(uint32_t flits) {
  std::vector<Parcel> demands;
  for (uint32_t v = 0; v < 4; ++v) demands.push_back({NodeId{v}, NodeId{(v + 2) % 4}, flits});
  Traffic traffic = traffic_of(parse_topology("ring(4)"), demands);
  // Ties go either way by themselves: here all go up.
  const Topology& ring = traffic.network;
  traffic.hops.clear();
  for (TrafficMessage& m : traffic.messages) {
    m.path = traffic.hops.size();
    auto v = static_cast<uint32_t>(index(m.source));
    for (int hop = 0; hop < 2; ++hop, v = (v + 1) % 4) {
      const ArcId up = *ring.find_arc(NodeId{v}, NodeId{(v + 1) % 4});
      const bool before_wrap = hop == 0 && v == 2;
      const bool after_wrap = v == 3 || (hop == 1 && v == 0);
      const VcClass wanted = before_wrap ? VcClass::kLow : after_wrap ? VcClass::kHigh : VcClass::kAny;
      traffic.hops.emplace_back(static_cast<uint32_t>(index(up) - index(ring.arcs_from(NodeId{v})[0])),
                                wanted);
    }
    traffic.hops.push_back(Hop::end());
  }
  return traffic;
}

TEST(WormSimulator, AMessageAloneTakesWhatTheFormulaSays) {
  uint32_t tried = 0;
  for (const char* spec :
       {"torus(6,6)", "mesh(3,4)", "torus(3,4,5)", "ring(7)", "hypercube(4)", "hamming(3,4)"}) {
    const Topology network = parse_topology(spec);
    const uint32_t n = network.num_nodes();
    for (uint32_t pair = 0; pair < n * n; ++pair) {
      const NodeId from{pair / n};
      const NodeId to{pair % n};
      // Every pair of the small ones.
      if (from == to || (n > 36 && pair / n % 20 != 0)) continue;
      const uint32_t i = tried++;
      WormParameters p;
      p.router_delay = 1 + i % 3;
      p.link_delay = i / 3 % 3;
      p.credit_delay = 1 + i / 9 % 3;
      p.buffer = p.hop_delay() + p.credit_delay;  // the least for full rate
      const Traffic traffic = one_message(network, from, to, i % 5 == 0 ? 300 : 1 + i % 8);
      WormRun run;
      if (i % 2 == 0) run.engine = WormEngine::kLaneByLane;
      const WormResult result = simulate_worms(traffic, p, run);
      const TrafficMessage& m = traffic.messages[0];
      ASSERT_EQ(result.cycles, p.zero_load(traffic.length(m), m.flits)) << spec << " to " << index(to);
      ASSERT_EQ(result.contention(), 0U);
      ASSERT_EQ(result.flit_hops, traffic.flit_hops());
    }
  }
  EXPECT_EQ(tried, 36U * 35 + 12 * 11 + 3 * 59 + 7 * 6 + 16 * 15 + 12 * 11);
}

TEST(WormSimulator, ASmallerBufferThanTheWayOfACreditSlowsALongMessageDown) {
  WormParameters p;
  p.buffer = 1;
  const Traffic traffic = one_message(parse_topology("path(3)"), NodeId{0}, NodeId{2}, 100);
  EXPECT_EQ(simulate_worms(traffic, p, {}).cycles, 2U + 2 * 99 + 1);  // one flit in D + C = 2 cycles
}

// Everything that may differ is drawn; both must tell the same cycle for every message.
Traffic random_traffic(Rng& rng) {
  static constexpr const char* kNetworks[] = {"ring(5)",      "ring(8)",      "torus(3,4)", "torus(2,3)",
                                              "mesh(3,3)",    "torus(4,4)",   "path(4)",    "torus(2,2,3)",
                                              "hypercube(3)", "torus(3,3,3)", "complete(5)"};
  const Topology network = parse_topology(kNetworks[rng.below(std::size(kNetworks))]);
  const auto n = network.num_nodes();
  const auto longest = static_cast<uint32_t>(rng.below(5) == 0 ? (rng.below(4) == 0 ? 300 : 40) : 6);
  const bool released = rng.below(3) == 0;
  std::vector<Parcel> demands;
  for (size_t i = 4 + rng.below(6 * size_t{n}); i > 0; --i) {
    const auto from = static_cast<uint32_t>(rng.below(n));
    const auto to = static_cast<uint32_t>((from + 1 + rng.below(n - 1)) % n);
    demands.push_back({NodeId{from}, NodeId{to}, 1 + static_cast<uint32_t>(rng.below(longest)),
                       static_cast<uint32_t>(rng.below(3)), released ? rng.below(200) : 0});
  }
  // Now and then everybody sends as far the same way, which fills rings.
  const bool shift = n > 5 && rng.below(3) == 0;
  for (uint32_t v = 0; shift && v < n; ++v) demands.push_back({NodeId{v}, NodeId{(v + 3) % n}, 20});
  Traffic traffic = traffic_of(network, demands);
  traffic.send = rng.below(2) == 0 ? kOnePort : kAllPorts;
  traffic.receive = Ports{static_cast<uint32_t>(rng.below(4))};
  traffic.half_duplex = rng.below(5) == 0;
  return traffic;
}

WormParameters random_parameters(Rng& rng) {
  WormParameters p;
  p.vcs = rng.below(2) == 0 ? 1 : 1 + static_cast<uint32_t>(rng.below(4));
  p.buffer = 1 + static_cast<uint32_t>(rng.below(rng.below(2) == 0 ? 3 : 9));
  p.router_delay = 1 + static_cast<uint32_t>(rng.below(2));
  p.link_delay = static_cast<uint32_t>(rng.below(3));
  p.credit_delay = 1 + static_cast<uint32_t>(rng.below(3));
  p.atomic = rng.below(4) == 0;
  return p;
}

WormRun random_run(const Traffic& traffic, Rng& rng) {
  WormRun run;
  const size_t mode = rng.below(3);
  if (mode == 1) {
    run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
    run.costs.barrier = rng.below(4);
  }
  const auto n = traffic.network.num_nodes();
  if (mode == 2 && traffic.steps > 1) {
    for (size_t i = rng.below(8); i > 0; --i) {
      const auto after = static_cast<uint32_t>(rng.below(traffic.steps - 1));
      const auto before = after + 1 + static_cast<uint32_t>(rng.below(traffic.steps - 1 - after));
      const auto from = static_cast<uint32_t>(rng.below(n));
      const auto to = static_cast<uint32_t>((from + 1 + rng.below(n - 1)) % n);
      run.synchronisation.signals.push_back({NodeId{from}, after, NodeId{to}, before});
    }
  }
  if (mode == 2) run.costs.signal = rng.below(4);
  // Priorities of steps, and now and then of what one node sends another.
  if (rng.below(3) == 0) {
    for (uint32_t step = 0; step < traffic.steps; ++step) {
      if (rng.below(3) > 0)
        run.synchronisation.priorities.push_back(
            {.step = step, .level = 1 + static_cast<uint32_t>(rng.below(3))});
    }
    const TrafficMessage& m = traffic.messages[rng.below(traffic.messages.size())];
    run.synchronisation.priorities.push_back({m.step, 2, m.source, m.destination});
  }
  if (rng.below(2) == 0) run.stalls = {.most = static_cast<uint32_t>(rng.below(40)), .seed = rng.next()};
  run.check_conservation = true;
  return run;
}

void expect_same(const Traffic& traffic, const WormParameters& p, const WormRun& run, uint64_t seed) {
  const testing::NaiveResult naive = testing::naive_worms(traffic, p, run);
  ASSERT_TRUE(naive.conserved) << seed;
  WormRun lane_by_lane = run;
  lane_by_lane.engine = WormEngine::kLaneByLane;
  WormRun packed = run;
  packed.engine = WormEngine::kPacked;
  const WormResult fast = simulate_worms(traffic, p, lane_by_lane);
  if (!not_packed(traffic, p, run)) {
    const WormResult same = simulate_worms(traffic, p, packed);
    ASSERT_EQ(same.delivered, naive.delivered) << seed;
    ASSERT_EQ(same.started, fast.started) << seed;
    ASSERT_EQ(same.flit_hops, naive.flit_hops) << seed;
    ASSERT_EQ(same.link_flits, fast.link_flits) << seed;
    ASSERT_EQ(same.channel_waits, naive.channel_waits) << seed;
    ASSERT_EQ(same.switch_conflicts, naive.switch_conflicts) << seed;
    ASSERT_EQ(same.evaluated, fast.evaluated) << seed;
    ASSERT_EQ(same.deadlock.has_value(), !naive.finished) << seed;
  }
  ASSERT_EQ(fast.delivered, naive.delivered) << seed;
  ASSERT_EQ(fast.cycles, naive.cycles) << seed;
  ASSERT_EQ(fast.flit_hops, naive.flit_hops) << seed;
  ASSERT_EQ(fast.channel_waits, naive.channel_waits) << seed;
  ASSERT_EQ(fast.switch_conflicts, naive.switch_conflicts) << seed;
  ASSERT_EQ(fast.pushed_aside, naive.pushed_aside) << seed;
  ASSERT_EQ(fast.deadlock.has_value(), !naive.finished) << seed;
}

// Random networks, traffic, parameters and nodes.
void expect_agreement(uint64_t seeds) {
  uint32_t deadlocks = 0;
  uint32_t with_contention = 0;
  uint32_t packed = 0;
  uint32_t pushed_aside = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed);
    const Traffic traffic = random_traffic(rng);
    const WormParameters p = random_parameters(rng);
    const WormRun run = random_run(traffic, rng);
    ASSERT_NO_FATAL_FAILURE(expect_same(traffic, p, run, seed));
    if (!not_packed(traffic, p, run)) ++packed;
    const WormResult result = simulate_worms(traffic, p, run);
    if (result.deadlock) ++deadlocks;
    if (result.pushed_aside > 0) ++pushed_aside;
    if (result.contention() > 0) ++with_contention;
    // Two classes of channels on every ring: nobody waits in a circle.
    ASSERT_FALSE(result.deadlock && p.vcs >= 2) << seed;
  }
  EXPECT_GT(deadlocks, 0U);
  EXPECT_GT(with_contention, seeds / 3);
  EXPECT_GT(packed, seeds / 5);
  EXPECT_GT(pushed_aside, seeds / 25);
}

TEST(WormSimulator, AgreesWithTheNaiveOneOnTheCycleOfEveryDelivery) { expect_agreement(250); }

TEST(WormSimulatorSlow, AgreesWithTheNaiveOneOnMany) { expect_agreement(5000); }

TEST(WormSimulator, AgreesWithTheNaiveOneOnPlansOfAllSorts) {
  uint64_t seed = 0;
  for (const Topology& network : testing::small_topologies()) {
    for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
      if (network.num_nodes() > 12) continue;
      Model model;
      model.switching = switching;
      const Problem problem = standard_problem(network, CollectiveKind::kAlltoall, model);
      const Schedule schedule = testing::random_schedule(problem, ++seed);
      Rng rng(seed);
      const Traffic traffic = traffic_of(schedule, {.block_bytes = 3, .flit_bytes = 1});
      const WormParameters p = random_parameters(rng);
      WormRun run = random_run(traffic, rng);
      run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
      ASSERT_NO_FATAL_FAILURE(expect_same(traffic, p, run, seed)) << network.name();
    }
  }
}

TEST(WormSimulator, AStepWithoutContentionTakesItsLongestWorm) {
  // Everybody in a complete graph sends to everybody: all ports, no link twice.
  const Schedule schedule = testing::direct_alltoall(6);
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 64, .flit_bytes = 8});
  const WormResult result = simulate_worms(traffic, {}, {});
  EXPECT_EQ(result.cycles, WormParameters{}.zero_load(1, 8));
  EXPECT_EQ(result.contention(), 0U);
  EXPECT_EQ(result.link_flits, std::vector<uint64_t>(30, 8));
}

TEST(WormSimulator, BarriersAddUpTheLongestWormsOfTheSteps) {
  const Schedule schedule = testing::doubling_allreduce(4);
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 100, .flit_bytes = 1});
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  run.costs.barrier = 7;
  EXPECT_EQ(simulate_worms(traffic, {}, run).cycles, 4 * WormParameters{}.zero_load(1, 100) + 3 * 7);
}

TEST(WormSimulator, ALostCreditIsSeen) {
  const Traffic traffic = round_the_ring(16);
  const testing::NaiveResult whole = testing::naive_worms(traffic, {}, {});
  EXPECT_TRUE(whole.conserved);
  EXPECT_FALSE(testing::naive_worms(traffic, {}, {}, 5).conserved);
}

TEST(WormSimulator, ARingWithOneChannelDeadlocksAndTheCircleIsNamed) {
  for (const uint32_t buffer : {2U, 15U, 16U}) {
    WormParameters p;
    p.vcs = 1;
    p.buffer = buffer;
    const WormResult result = simulate_worms(round_the_ring(16), p, {});
    ASSERT_TRUE(result.deadlock) << buffer;
    EXPECT_EQ(result.deadlock->circle.size(), 4U);
    EXPECT_LT(result.evaluated, 40U);
    ASSERT_EQ(result.deadlock->nodes.size(), 4U);
    EXPECT_EQ(result.deadlock->nodes[0], "node 0 waits in step 1: 2 messages not over");
  }
}

TEST(WormSimulator, ARingWithTwoClassesOfChannelsDoesNot) {
  WormParameters p;
  p.buffer = 2;
  const WormResult result = simulate_worms(round_the_ring(16), p, {});
  EXPECT_FALSE(result.deadlock);
  EXPECT_EQ(testing::naive_worms(round_the_ring(16), p, {}).cycles, result.cycles);
}

TEST(WormSimulator, WhatIsMostUrgentIsNotHeldUpByTheRest) {
  Rng rng(3);
  const Topology network = parse_topology("torus(4,4)");
  for (int round = 0; round < 20; ++round) {
    std::vector<Parcel> urgent;
    std::vector<Parcel> all;
    for (uint32_t v = 0; v < 16; ++v) {
      // A node has a step of one kind only: programs alone do not hold anything up.
      const bool first = rng.below(2) == 0;
      const Parcel demand{NodeId{v}, NodeId{static_cast<uint32_t>((v + 1 + rng.below(15)) % 16)}, 20,
                          first ? 0U : 1U, first ? rng.below(60) : 0};
      all.push_back(demand);
      if (first) urgent.push_back(demand);
    }
    if (urgent.empty() || urgent.size() == all.size()) continue;
    WormRun run;
    run.synchronisation.priorities = {{.step = 1, .level = 2}};
    const Traffic both = traffic_of(network, all);
    const WormResult among_all = simulate_worms(both, {}, run);
    const WormResult alone = simulate_worms(traffic_of(network, urgent), {}, run);
    size_t i = 0;
    for (size_t m = 0; m < both.messages.size(); ++m) {
      if (both.messages[m].step == 0) {
        ASSERT_EQ(among_all.delivered[m], alone.delivered[i]) << round;
        ++i;
      }
    }
  }
}

TEST(WormSimulator, PrioritiesLetAWormPassAndTheOtherGoOn) {
  // 1 -> 3 holds the link 1 -> 2 when 0 -> 2, of an earlier step, comes; it waits for 10 flits of it.
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{2}, 10, 0, 5}, {NodeId{1}, NodeId{3}, 40, 1}};
  const Traffic traffic = traffic_of(parse_topology("path(4)"), demands);
  WormRun run;
  run.synchronisation.priorities = {{.step = 1, .level = 2}};
  const WormResult result = simulate_worms(traffic, {}, run);
  EXPECT_EQ(result.delivered[0], 5 + WormParameters{}.zero_load(2, 10));
  EXPECT_EQ(result.delivered[1], WormParameters{}.zero_load(2, 40) + 10);
  EXPECT_EQ(result.pushed_aside, 10U);
  EXPECT_EQ(result.contention(), 0U);
}

TEST(WormSimulator, InHalfDuplexTwoMessagesAcrossALinkTakeTwiceAsLong) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{1}, 50}, {NodeId{1}, NodeId{0}, 50}};
  Traffic traffic = traffic_of(parse_topology("path(2)"), demands);
  EXPECT_EQ(simulate_worms(traffic, {}, {}).cycles, WormParameters{}.zero_load(1, 50));
  traffic.half_duplex = true;
  EXPECT_EQ(simulate_worms(traffic, {}, {}).cycles, WormParameters{}.zero_load(1, 100));
  EXPECT_EQ(UncontendedWorms(traffic, {}, {}).run({}).first_conflict, 0U);
}

TEST(WormSimulator, SignalsThatTakeTimeAreHeardLater) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{1}, 10, 0}, {NodeId{2}, NodeId{1}, 10, 1}};
  const Traffic traffic = traffic_of(parse_topology("path(3)"), demands);
  WormRun run;
  run.synchronisation.signals = {{NodeId{1}, 0, NodeId{2}, 1}};
  const uint64_t one = WormParameters{}.zero_load(1, 10);
  EXPECT_EQ(simulate_worms(traffic, {}, run).cycles, 2 * one);
  run.costs.signal = 7;
  EXPECT_EQ(simulate_worms(traffic, {}, run).cycles, 2 * one + 7);
  EXPECT_EQ(UncontendedWorms(traffic, {}, run.synchronisation, run.costs).run({}).cycles, 2 * one + 7);
}

TEST(WormSimulator, NodesThatWaitForEachOtherAreNoCircleOfWorms) {
  Traffic traffic = one_message(parse_topology("ring(4)"), NodeId{0}, NodeId{1}, 3);
  traffic.steps = 3;
  WormRun run;
  // Each may start its second step only after the third of the other.
  run.synchronisation.signals = {{NodeId{0}, 2, NodeId{1}, 1}, {NodeId{1}, 2, NodeId{0}, 1}};
  const WormResult result = simulate_worms(traffic, {}, run);
  ASSERT_TRUE(result.deadlock);
  EXPECT_TRUE(result.deadlock->circle.empty());
  EXPECT_EQ(result.deadlock->nodes[0], "node 0 waits for step 2: 1 signal not heard");
}

TEST(WormSimulator, QuietTimeCostsNothing) {
  const Schedule schedule = testing::doubling_allreduce(3);
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 4, .flit_bytes = 1});
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  run.costs.barrier = 1'000'000'000'000;
  const WormResult result = simulate_worms(traffic, {}, run);
  EXPECT_GT(result.cycles, 2'000'000'000'000U);
  EXPECT_LT(result.evaluated, 60U);
}

TEST(WormSimulator, SaysWhoContendsForWhat) {
  // Two messages from both sides through one link of a path.
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{3}, 10}, {NodeId{1}, NodeId{3}, 10}};
  WormParameters p;
  p.vcs = 1;
  const WormResult result = simulate_worms(traffic_of(parse_topology("path(4)"), demands), p, {});
  EXPECT_EQ(result.channel_waits, 1U);
  ASSERT_EQ(result.contentions.size(), 1U);
  EXPECT_EQ(result.contentions[0].what, Contention::What::kChannel);
  EXPECT_EQ(index(result.contentions[0].node), 1U);
  EXPECT_EQ(result.contentions[0].winner, 1U);
  EXPECT_EQ(result.contentions[0].loser, 0U);
  EXPECT_EQ(result.contentions[0].cycle, 1U);
}

TEST(WormSimulator, RefusesWhatMakesNoNetwork) {
  const Traffic traffic = one_message(parse_topology("ring(4)"), NodeId{0}, NodeId{1}, 3);
  const auto message_of = [&](WormParameters p) {
    return error_of([&] { (void)simulate_worms(traffic, p, {}); });
  };
  EXPECT_EQ(message_of({.buffer = 0}),
            "--buffers: a buffer holds at least 1 flit, not 0: nothing could ever move");
  EXPECT_EQ(message_of({.vcs = 0}), "--vcs: a link has at least 1 virtual channel, not 0");
  EXPECT_EQ(message_of({.router_delay = 0}), "--router-delay: a router takes at least 1 cycle, not 0");
  const Parcel demand{NodeId{0}, NodeId{1}, 1};
  EXPECT_EQ(
      error_of([&] { (void)traffic_of(parse_topology("fat_tree(2,2)"), std::span(&demand, 1)); }),
      "simulation: fat_tree(2^2) is no product of rings, lines and complete graphs, so it has no dimension order");
}

}  // namespace
}  // namespace worm_simulator_test
}  // namespace quadrille
