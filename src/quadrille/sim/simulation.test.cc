#include "quadrille/sim/simulation.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/sim/chrome_trace.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace simulation_test {
namespace {

Traffic doubling() { return traffic_of(testing::doubling_allreduce(3), {.block_bytes = 6, .flit_bytes = 2}); }

TEST(Simulation, IsTheSameByWholeWormsAndByFlits) {
  const Traffic traffic = doubling();
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  const Simulation whole = simulate(traffic, {}, run);
  const Simulation flits = simulate(traffic, {}, run, {.by_flits = true});
  EXPECT_FALSE(whole.by_flits);
  EXPECT_TRUE(flits.by_flits);
  EXPECT_EQ(whole.result.delivered, flits.result.delivered);
  EXPECT_EQ(whole.result.started, flits.result.started);
  EXPECT_EQ(whole.result.link_flits, flits.result.link_flits);
  EXPECT_EQ(whole.result.flit_hops, flits.result.flit_hops);
}

TEST(Simulation, GoesThroughFlitsWhereWormsMeet) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{2}, 5}, {NodeId{1}, NodeId{2}, 5}};
  const Simulation done = simulate(traffic_of(parse_topology("path(3)"), demands), {}, {});
  EXPECT_TRUE(done.by_flits);
  EXPECT_EQ(done.first_conflict, 1U);
  EXPECT_GT(done.result.contention(), 0U);
}

TEST(Simulation, SaysHowLongItMayTakeBeforeItGoesThroughFlits) {
  struct Enough {};
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{2}, 4'000'000'000},
                                       {NodeId{1}, NodeId{2}, 4'000'000'000}};
  double said = 0.0;
  const SimulationWishes options = {.before_flits = [&](double seconds) {
    said = seconds;
    throw Enough{};
  }};
  EXPECT_THROW((void)simulate(traffic_of(parse_topology("path(3)"), demands), {}, {}, options), Enough);
  EXPECT_EQ(said, 400.0);
  // Where none meets no flit is looked at, and nothing said.
  EXPECT_FALSE(
      simulate(traffic_of(parse_topology("path(3)"), std::span(demands).first(1)), {}, {}, options).by_flits);
}

TEST(Simulation, SeedsGiveTheSameOnOneThreadAndOnTwo) {
  const Traffic traffic = doubling();
  WormRun run;
  run.stalls = {.most = 20, .seed = 5};
  const SeedSweep one = sweep_seeds(traffic, {}, run, 130, {});
  const SeedSweep two = sweep_seeds(traffic, {}, run, 130, {.threads = 2});
  EXPECT_EQ(one.most_cycles, two.most_cycles);
  EXPECT_EQ(one.least_cycles, two.least_cycles);
  EXPECT_EQ(one.mean_cycles, two.mean_cycles);
  EXPECT_EQ(one.with_contention, two.with_contention);
  EXPECT_LT(one.least_cycles, one.most_cycles);
}

TEST(ChromeTrace, OfTwoMessagesIsThis) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{2}, 3}};
  const Traffic traffic = traffic_of(parse_topology("path(3)"), demands);
  std::vector<ChannelUse> uses;
  WormRun run;
  run.uses = &uses;
  const WormResult result = simulate_worms(traffic, {}, run);
  std::string text;
  const auto write = [&text](std::string_view part) { text += part; };
  EXPECT_EQ(write_chrome_trace(traffic, result, uses, {}, write), 0U);
  EXPECT_EQ(
      text,
      R"~({"displayTimeUnit":"ns","otherData":{"generator":"quadrille simulate","cycle_ns":"1"},"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"node 0 0"}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"node 1 1"}},
{"ph":"M","name":"process_name","pid":3,"tid":0,"args":{"name":"node 2 2"}},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"link to 1 vc1"}},
{"ph":"M","name":"thread_name","pid":2,"tid":4,"args":{"name":"link to 2 vc1"}},
{"ph":"X","name":"0>2","cat":"link","pid":1,"tid":2,"ts":0.000,"dur":0.003,"args":{"message":0,"step":1,"flits":3,"vc":1,"waited":0}},
{"ph":"s","name":"0>2","cat":"message","id":0,"pid":1,"tid":2,"ts":0.000},
{"ph":"X","name":"0>2","cat":"link","pid":2,"tid":4,"ts":0.001,"dur":0.003,"args":{"message":0,"step":1,"flits":3,"vc":1,"waited":0}},
{"ph":"f","bp":"e","name":"0>2","cat":"message","id":0,"pid":2,"tid":4,"ts":0.001}
]}
)~");
  EXPECT_EQ(write_chrome_trace(traffic, result, uses, {.most_events = 2}, [](std::string_view) {}), 1U);
}

}  // namespace
}  // namespace simulation_test
}  // namespace quadrille
