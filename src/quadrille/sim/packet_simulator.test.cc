#include "quadrille/sim/packet_simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/sim/radix_heap.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace packet_simulator_test {
namespace {

Traffic of(const char* spec, const std::vector<Parcel>& demands, Ports ports = kAllPorts) {
  Traffic traffic = traffic_of(parse_topology(spec), demands);
  traffic.send = traffic.receive = ports;
  return traffic;
}

TEST(RadixHeap, TakesEventsLikeABinaryHeap) {
  Rng rng(7);
  RadixHeap heap;
  using Event = std::pair<uint64_t, uint64_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> binary;
  uint64_t now = 0;
  std::vector<uint64_t> ids;
  for (int round = 0; round < 2000; ++round) {
    for (size_t i = rng.below(4); i > 0; --i) {
      const Event event{now + (rng.below(9) == 0 ? rng.below(1U << 30U) : rng.below(20)), rng.below(1000)};
      heap.push(event.first, event.second);
      binary.push(event);
    }
    if (heap.empty()) continue;
    now = heap.pop(ids);
    for (const uint64_t id : ids) {
      ASSERT_EQ(binary.top(), Event(now, id));
      binary.pop();
    }
    ASSERT_TRUE(binary.empty() || binary.top().first > now);
  }
  ASSERT_EQ(heap.empty(), binary.empty());
}

TEST(Packets, AloneTakeTheirSizeAndTheLatencyAtEveryHop) {
  for (const Ports ports : {kAllPorts, kOnePort}) {
    const Traffic traffic = of("path(5)", {{NodeId{0}, NodeId{4}, 7}}, ports);
    EXPECT_EQ(simulate_packets(traffic, {.flit_time = 3, .latency = 5}, {}).result.cycles, 4U * (7 * 3 + 5));
  }
}

TEST(Packets, WaitForLinksFirstComeFirstServed) {
  // Both want 1->2; the one that starts there is first.
  const Traffic traffic = of("path(3)", {{NodeId{0}, NodeId{2}, 4}, {NodeId{1}, NodeId{2}, 10}});
  const Simulation done = simulate_packets(traffic, {.latency = 0}, {});
  EXPECT_EQ(done.result.delivered, (std::vector<uint64_t>{14, 10}));
  EXPECT_EQ(done.result.channel_waits, 1U);
}

TEST(Packets, OnePortSendsAndReceivesOneAfterTheOther) {
  const std::vector<Parcel> out = {{NodeId{0}, NodeId{1}, 4}, {NodeId{0}, NodeId{2}, 4}};
  EXPECT_EQ(simulate_packets(of("complete(3)", out), {}, {}).result.cycles, 5U);
  EXPECT_EQ(simulate_packets(of("complete(3)", out, kOnePort), {}, {}).result.cycles, 9U);
  const std::vector<Parcel> in = {{NodeId{1}, NodeId{0}, 4}, {NodeId{2}, NodeId{0}, 4}};
  EXPECT_EQ(simulate_packets(of("complete(3)", in, kOnePort), {}, {}).result.cycles, 9U);
  EXPECT_EQ(error_of([&] { (void)simulate_packets(of("complete(3)", in, Ports{2}), {}, {}); }),
            "simulation of packets: a node sends by one port or by all, not by 2");
}

TEST(Packets, TakeWhatWormsTakeWhereAllGoOneHopAndNoneMeets) {
  const WormParameters worms{.router_delay = 2, .link_delay = 1};
  for (const Schedule& schedule :
       {testing::doubling_allreduce(4), testing::direct_alltoall(7), testing::ring_reduce_scatter(6)}) {
    const Traffic traffic = traffic_of(schedule, {.block_bytes = 30, .flit_bytes = 4});
    for (uint32_t stall = 0; stall < 100; stall += 40) {
      WormRun run;
      run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
      run.stalls = {.most = stall, .seed = 3};
      const Simulation flits = simulate(traffic, worms, run, {.by_flits = true});
      ASSERT_EQ(flits.result.contention(), 0U);
      const Simulation packets = simulate_packets(traffic, PacketParameters::as_worms(worms), run);
      EXPECT_EQ(packets.result.delivered, flits.result.delivered) << schedule.problem().title();
      EXPECT_EQ(packets.result.link_flits, flits.result.link_flits);
    }
  }
}

TEST(Packets, SayWhichLinkTheyHoldWhen) {
  for (const Ports ports : {kAllPorts, kOnePort}) {
    std::vector<Parcel> demands;
    Rng rng(5);
    for (int i = 0; i < 60; ++i) {
      const auto from = static_cast<uint32_t>(rng.below(12));
      const auto to = static_cast<uint32_t>(rng.below(12));
      if (from != to) demands.push_back({NodeId{from}, NodeId{to}, 1 + static_cast<uint32_t>(rng.below(9))});
    }
    const Traffic traffic = of("mesh(3,4)", demands, ports);
    std::vector<ChannelUse> uses;
    WormRun run;
    run.uses = &uses;
    const Simulation done = simulate_packets(traffic, {.latency = 2}, run);
    ASSERT_FALSE(done.result.deadlock);
    // Every hop once, as long as its message; on a link one after another.
    uint64_t hops = 0;
    for (const TrafficMessage& m : traffic.messages) hops += traffic.length(m);
    EXPECT_EQ(uses.size(), hops);
    std::ranges::sort(uses, [](const ChannelUse& a, const ChannelUse& b) {
      return std::pair(a.arc, a.granted) < std::pair(b.arc, b.granted);
    });
    std::vector<uint64_t> flits(traffic.network.num_arcs());
    for (size_t i = 0; i < uses.size(); ++i) {
      const ChannelUse& use = uses[i];
      EXPECT_EQ(use.tail + 1 - use.granted, traffic.messages[use.message].flits);
      EXPECT_LE(use.asked, use.granted);
      EXPECT_EQ(use.vc, 0U);
      flits[index(use.arc)] += use.tail + 1 - use.granted;
      EXPECT_TRUE(i == 0 || uses[i - 1].arc != use.arc || uses[i - 1].tail < use.granted);
    }
    EXPECT_EQ(flits, done.result.link_flits);
  }
}

TEST(Packets, SweepsAreTheSameOnAnyNumberOfThreads) {
  const Traffic traffic = traffic_of(testing::direct_alltoall(7), {.block_bytes = 30, .flit_bytes = 4});
  WormRun run;
  run.stalls = {.most = 20, .seed = 3};
  const SeedSweep one = sweep_packet_seeds(traffic, {}, run, 150, {});
  uint64_t last = 0;
  const SeedSweep two = sweep_packet_seeds(traffic, {}, run, 150,
                                           {.threads = 2, .done = [&](size_t over, size_t) { last = over; }});
  EXPECT_EQ(last, 150U);
  EXPECT_EQ(one.seeds, 150U);
  EXPECT_EQ(one.deadlocks, 0U);
  EXPECT_EQ(
      std::tuple(one.with_contention, one.least_cycles, one.most_cycles, one.mean_cycles, one.first_bad),
      std::tuple(two.with_contention, two.least_cycles, two.most_cycles, two.mean_cycles, two.first_bad));
  uint64_t with_contention = 0;
  for (uint64_t seed = 3; seed < 153; ++seed) {
    run.stalls.seed = seed;
    if (simulate_packets(traffic, {}, run).result.contention() > 0) ++with_contention;
  }
  EXPECT_EQ(one.with_contention, with_contention);
}

TEST(Packets, NodesThatWaitForEachOtherAreSeen) {
  Traffic traffic = of("ring(4)", {{NodeId{0}, NodeId{1}, 3}});
  traffic.steps = 3;
  WormRun run;
  run.synchronisation.signals = {{NodeId{0}, 2, NodeId{1}, 1}, {NodeId{1}, 2, NodeId{0}, 1}};
  ASSERT_TRUE(simulate_packets(traffic, {}, run).result.deadlock);
}

}  // namespace
}  // namespace packet_simulator_test
}  // namespace quadrille
