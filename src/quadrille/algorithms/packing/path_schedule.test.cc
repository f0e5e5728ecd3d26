// Priced paths, path schedules and slot exchange: what each promises of any network, and what they reach.
#include "quadrille/algorithms/packing/path_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/balanced_timetable.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/round_paths.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace path_schedule_test {
namespace {

Problem exchange_on(const std::string& spec, Ports ports = kAllPorts, Duplex duplex = Duplex::kFull) {
  Model model;
  model.send = model.receive = ports;
  model.duplex = duplex;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

uint64_t judged_steps(const Problem& problem, const TimedPaths& paths) {
  Plan plan;
  paths.generate(plan);
  const Verification out = verify(problem, std::move(plan));
  EXPECT_TRUE(out.verdict.passed()) << problem.title();
  EXPECT_EQ(out.verdict.figures.steps, paths.steps) << problem.title();
  return out.verdict.figures.steps;
}

const std::vector<std::string> kNetworks = {"line(1)",
                                            "line(2)",
                                            "ring(7)",
                                            "mesh(3,5)",
                                            "tree(2^3)",
                                            "generalized_petersen(5,2)",
                                            "complete(6)",
                                            "fat_tree(3,2;exponential)",
                                            "butterfly(3)",
                                            "star(4)",
                                            "product(star(3),ring(4))"};

TEST(PricedPaths, LeadFromOriginToDestinationAndAddUpToTheBusiest) {
  for (const std::string& spec : kNetworks) {
    const Problem problem = exchange_on(spec);
    const Topology& topology = problem.topology();
    const PricedPaths paths(problem);
    std::vector<uint64_t> load(topology.num_arcs(), 0);
    for (size_t i = 0; i < paths.size(); ++i) {
      NodeId at = problem.origin(paths.block(i));
      for (const ArcId arc : paths.path(i)) {
        ASSERT_EQ(topology.tail(arc), at) << spec;
        at = topology.head(arc);
        ++load[index(arc)];
      }
      EXPECT_EQ(at, problem.destination(paths.block(i))) << spec;
    }
    uint64_t busiest = 0;
    for (const ArcId arc : topology.arcs()) {
      const uint64_t capacity = topology.capacity(arc);
      busiest = std::max(busiest, (load[index(arc)] + capacity - 1) / capacity);
    }
    EXPECT_EQ(paths.busiest(), busiest) << spec;
    EXPECT_LE(paths.least(), paths.busiest()) << spec;
  }
}

TEST(PathSchedule, PassesTheJudgeWithAnyPortsAndDuplex) {
  for (const std::string& spec : kNetworks) {
    for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
      for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
        const uint32_t most = parse_topology(spec).num_nodes() <= 2 ? 1 : 2;
        if (!ports.unlimited() && ports.count > most) continue;
        const Problem problem = exchange_on(spec, ports, duplex);
        const PricedPaths paths(problem);
        TimedPaths timed = schedule_paths(problem, paths);
        EXPECT_GE(timed.steps, paths.busiest()) << spec;
        const uint64_t before = judged_steps(problem, timed);
        const TimedPaths shorter = with_slots_exchanged(problem, std::move(timed), paths.least());
        EXPECT_LE(judged_steps(problem, shorter), before) << spec;
        EXPECT_GE(shorter.steps, paths.least()) << spec;
      }
    }
  }
}

TEST(BalancedTimetable, IsSearchedForWhereItMayBeWorthIt) {
  for (const std::string& spec : std::span(kNetworks).subspan(1)) {
    for (const Ports ports : {kOnePort, kAllPorts}) {
      for (const uint32_t pieces : {1U, 3U}) {
        const Problem one = exchange_on(spec, ports);
        const Problem problem =
            standard_problem(one.topology(), CollectiveKind::kAlltoall, one.model(), kNoNode, pieces);
        const auto steps_below = [&](uint64_t fewer_than) {
          const WorthMaking wanted(fewer_than);
          return on_balanced_paths(problem).plans.front()->prediction().steps;
        };
        const std::optional<uint64_t> known = steps_below(UINT64_MAX);
        ASSERT_TRUE(known.has_value()) << problem.title();
        EXPECT_EQ(steps_below(*known + 1), known) << problem.title() << ": what it takes at least is no more";
        EXPECT_TRUE(*known < 2 || !steps_below((*known + 3) / 4)) << problem.title() << ": it says something";
      }
    }
  }
}

TEST(PathSchedule, SpreadsEqualWaysOverSwitches) {
  // Four hosts on each of two switches, which four more switches join: every one of these carries its part.
  TopologyBuilder builder("two leaves, four spines", 14);
  for (uint32_t host = 0; host < 8; ++host) builder.link(NodeId{host}, NodeId{8 + host / 4});
  for (uint32_t spine = 10; spine < 14; ++spine)
    for (const uint32_t leaf : {8U, 9U}) builder.link(NodeId{leaf}, NodeId{spine});
  std::vector<NodeId> hosts;
  for (uint32_t host = 0; host < 8; ++host) hosts.push_back(NodeId{host});
  builder.endpoints(hosts);
  const Problem problem = standard_problem(builder.build(), CollectiveKind::kAlltoall);
  const PricedPaths paths(problem);
  EXPECT_EQ(paths.busiest(), 7U);  // a host sends seven blocks
  std::vector<uint64_t> load(problem.topology().num_arcs(), 0);
  for (size_t i = 0; i < paths.size(); ++i)
    for (const ArcId arc : paths.path(i)) ++load[index(arc)];
  for (const ArcId arc : problem.topology().arcs()) {
    const bool upwards =
        index(problem.topology().tail(arc)) >= 8 && index(problem.topology().head(arc)) >= 10;
    if (upwards) {
      EXPECT_LE(load[index(arc)], 7U);
    }
  }
  judged_steps(problem, with_slots_exchanged(problem, schedule_paths(problem, paths), paths.least()));
}

TEST(SlotExchange, FindsTheStepThatListSchedulingMisses) {
  // Known optima, which list scheduling over the first paths does not reach on all of these.
  const std::vector<std::pair<std::string, uint64_t>> known = {
      {"generalized_petersen(5,2)", 5}, {"butterfly(3)", 18}, {"mesh(4,4)", 16}, {"tree(2^3)", 56}};
  for (const auto& [spec, steps] : known) {
    const Problem problem = exchange_on(spec);
    const PricedPaths paths(problem);
    EXPECT_EQ(with_slots_exchanged(problem, schedule_paths(problem, paths), paths.least()).steps, steps)
        << spec;
  }
}

// Their links have hardly a step to spare; those between the switches have, once they are balanced.
TEST(PathSchedule, OfHostsWithOneLinkGoesInRounds) {
  const Problem problem = exchange_on("jellyfish(16,6,3;1)");
  const PricedPaths paths(problem);
  EXPECT_EQ(paths.busiest(), 47U);
  std::vector<uint64_t> load(problem.topology().num_arcs(), 0);
  for (size_t i = 0; i < paths.size(); ++i)
    for (const ArcId arc : paths.path(i)) ++load[index(arc)];
  for (const ArcId arc : problem.topology().arcs()) {
    const bool of_host = problem.topology().rank(problem.topology().tail(arc)).has_value() ||
                         problem.topology().rank(problem.topology().head(arc)).has_value();
    EXPECT_LE(load[index(arc)], of_host ? 47U : 42U);
  }
  EXPECT_LE(judged_steps(problem, schedule_paths(problem, paths)), 53U);
}

// In the order of their numbers whole groups would send to each other at the same time, over one link.
TEST(PathSchedule, GroupsOfHostsDoNotAllServeTheSameGroup) {
  const Problem problem = exchange_on("dragonfly(2,4,2)");
  const PricedPaths paths(problem);
  EXPECT_EQ(paths.busiest(), 71U);
  EXPECT_LE(judged_steps(problem, schedule_paths(problem, paths)), 82U);  // by their numbers 86
}

// Of four links a node uses three in a step: the one that is left out must not be one with work for every step. (Without that: 168
// and 43 steps.)
TEST(PathSchedule, LinksWithoutAStepToSpareComeFirst) {
  const std::vector<std::pair<std::string, uint64_t>> known = {{"random_regular(128,4;2)", 161},
                                                               {"slim_fly(5)", 32}};
  for (const auto& [spec, steps] : known) {
    const Problem problem = exchange_on(spec, Ports{3});
    EXPECT_LE(judged_steps(problem, schedule_paths(problem, PricedPaths(problem))), steps) << spec;
  }
}

TEST(RoundPaths, LeadFromOriginToDestinationWhateverTheRounds) {
  const Problem problem = exchange_on("jellyfish(8,3,2;1)");
  EXPECT_TRUE(are_hosts_of_one_link(problem.topology()));
  EXPECT_FALSE(are_hosts_of_one_link(parse_topology("ring(5)")));
  EXPECT_FALSE(are_hosts_of_one_link(parse_topology("line(2)")));
  const PricedPaths paths(problem);
  std::vector<uint32_t> round(paths.size());
  for (size_t i = 0; i < round.size(); ++i) round[i] = static_cast<uint32_t>(i * 7 % 15);
  const PricedPaths spread = spread_over_rounds(problem, paths, round, 4);
  ASSERT_EQ(spread.size(), paths.size());
  for (size_t i = 0; i < spread.size(); ++i) {
    EXPECT_EQ(spread.block(i), paths.block(i));
    NodeId at = problem.origin(spread.block(i));
    for (const ArcId arc : spread.path(i)) {
      ASSERT_EQ(problem.topology().tail(arc), at);
      at = problem.topology().head(arc);
    }
    EXPECT_EQ(at, problem.destination(spread.block(i)));
  }
}

}  // namespace
}  // namespace path_schedule_test
}  // namespace quadrille
