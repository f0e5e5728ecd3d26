#include "quadrille/compile/lending/lending.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::lending_test {
namespace {

constexpr std::array kNetworks = {"line(4)",   "ring(5)",       "ring(6)",          "complete(6)",
                                  "mesh(2,3)", "torus(3,3)",    "torus(2,4)",       "hypercube(3)",
                                  "tree(2,2)", "fat_tree(2^2)", "circulant(8;1,3)", "star(3)"};

Problem problem_on(const Topology& topology, CollectiveKind kind, uint32_t ports, Switching switching) {
  return standard_problem(topology, kind, {.send = {ports}, .receive = {ports}, .switching = switching});
}

// Steps of what is chosen; made and judged on the way.
uint64_t steps_of(const Problem& problem) {
  const Compiled made = compile(problem, {.stored = false});
  EXPECT_TRUE(made.verdict.passed());
  EXPECT_EQ(made.head.stated_figures.steps.value_or(made.verdict.figures.steps), made.verdict.figures.steps)
      << problem.title() << " " << made.head.algorithm;
  return made.verdict.figures.steps;
}

// What every collective takes on the machine.
std::map<CollectiveKind, uint64_t> all_steps(const Topology& topology, uint32_t ports, Switching switching) {
  std::map<CollectiveKind, uint64_t> out;
  for (const CollectiveKind kind : kCollectiveKinds)
    out[kind] = steps_of(problem_on(topology, kind, ports, switching));
  return out;
}

class Contradictions : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Lending, Contradictions, ::testing::ValuesIn(kNetworks), [](const auto& network) {
  std::string name = network.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

TEST_P(Contradictions, NoHarderTaskAndNoWeakerMachineGetsTheShorterPlan) {
  using enum CollectiveKind;
  const Topology topology = parse_topology(GetParam());
  std::map<std::pair<Switching, uint32_t>, std::map<CollectiveKind, uint64_t>> steps;
  for (const Switching switching : {Switching::kPacket, Switching::kWormhole})
    for (const uint32_t ports : {1U, 0U}) steps[{switching, ports}] = all_steps(topology, ports, switching);
  for (const CollectiveKind kind : kCollectiveKinds) {
    SCOPED_TRACE(name_of(kind));
    for (const uint32_t ports : {1U, 0U})
      EXPECT_LE((steps[{Switching::kWormhole, ports}][kind]), (steps[{Switching::kPacket, ports}][kind]))
          << ports;
    for (const Switching switching : {Switching::kPacket, Switching::kWormhole})
      EXPECT_LE((steps[{switching, 0}][kind]), (steps[{switching, 1}][kind])) << to_text(switching);
  }
  for (auto& [machine, of] : steps) {
    SCOPED_TRACE(::testing::Message() << to_text(machine.first) << ", ports " << machine.second);
    EXPECT_EQ(of[kReduce], of[kBroadcast]);
    EXPECT_EQ(of[kReduceScatter], of[kAllgather]);
    EXPECT_EQ(of[kGather], of[kScatter]);
    EXPECT_LE(of[kBroadcast], of[kAllgather]);
    EXPECT_LE(of[kScatter], of[kAlltoall]);
    EXPECT_LE(of[kAllgather], of[kAlltoall]);
    EXPECT_LE(of[kReduce], of[kAllreduce]);
    EXPECT_LE(of[kAllreduce], of[kReduce] + of[kBroadcast]);
  }
}

Topology one_way_net() {
  TopologyBuilder builder("one way", 6);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0), std::pair(2, 3),
                                 std::pair(3, 4), std::pair(4, 5), std::pair(5, 0), std::pair(4, 1)})
    builder.arc(id_at<NodeId>(from), id_at<NodeId>(to));
  return builder.build();
}

TEST(Lending, ReversesDirectedNetworksAndUnequalPorts) {
  using enum CollectiveKind;
  const Topology topology = one_way_net();
  Sample sample(3);
  for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
    for (const auto& [send, receive] :
         {std::pair(1U, 1U), std::pair(1U, 2U), std::pair(2U, 1U), std::pair(0U, 1U)}) {
      const Model model{.send = {send}, .receive = {receive}, .switching = switching};
      for (const CollectiveKind kind : {kBroadcast, kScatter, kAllgather, kAlltoall}) {
        if (!sample.takes()) continue;
        const Problem problem = standard_problem(topology, kind, model, id_at<NodeId>(3));
        EXPECT_EQ(steps_of(problem), steps_of(reversed(problem)))
            << name_of(kind) << " " << send << "x" << receive << " " << to_text(switching);
      }
    }
  }
}

TEST(Lending, KnowsThePlansOfPiecesRootsAndHalfDuplex) {
  Sample sample(5);
  for (const char* spec : {"ring(5)", "torus(3,3)", "tree(2,2)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const uint32_t pieces : {2U, 3U, topology.num_endpoints()}) {
        for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
          for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
            if (!sample.takes()) continue;
            const Model model{
                .send = kOnePort, .receive = kOnePort, .switching = switching, .duplex = duplex};
            steps_of(standard_problem(topology, kind, model, topology.endpoints().back(), pieces));
          }
        }
      }
    }
  }
}

// What half-duplex links can do full ones can: parting a plan and compacting it now and then saves a step.
TEST(Lending, FullDuplexNeverGetsTheLongerPlan) {
  Sample sample(3);
  for (const char* spec : {"tree(2,3)", "mesh(3,3)", "ring(6)", "generalized_petersen(5,2)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const uint32_t ports : {1U, 0U}) {
        if (!sample.takes()) continue;
        const Problem full = problem_on(topology, kind, ports, Switching::kPacket);
        Model half = full.model();
        half.duplex = Duplex::kHalf;
        const uint64_t steps = steps_of(full);
        EXPECT_LE(steps, steps_of(standard_problem(topology, kind, half)))
            << spec << " " << name_of(kind) << " " << ports;
        EXPECT_LE(steps_of(problem_on(topology, kind, ports, Switching::kWormhole)), steps)
            << spec << " " << name_of(kind) << " " << ports;
      }
    }
  }
}

TEST(Lending, KeepsToTheRoutingThatIsAllowed) {
  for (const Routing routing : {Routing::kShortest, Routing::kDimensionOrder}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      const Model model{.switching = Switching::kWormhole, .routing = routing};
      steps_of(standard_problem(parse_topology("torus(3,4)"), kind, model));
    }
  }
}

TEST(Lending, ANetworkOutOfAFileIsKnownByItsShape) {
  const Topology ring = parse_topology("torus(3,3)");
  TopologyBuilder builder("nine", 9);
  for (const ArcId arc : ring.arcs()) {
    const auto turned = [](NodeId v) { return id_at<NodeId>((index(v) * 2 + 5) % 9); };
    builder.arc(turned(ring.tail(arc)), turned(ring.head(arc)));
  }
  const Topology nameless = builder.build();
  for (const CollectiveKind kind : kCollectiveKinds) {
    EXPECT_LE(steps_of(problem_on(nameless, kind, 0, Switching::kPacket)),
              steps_of(problem_on(ring, kind, 0, Switching::kPacket)))
        << name_of(kind);
  }
}

TEST(Lending, WhatIsLentIsNamedByWhatItIsMadeOfAndAcceptedByThatName) {
  const Problem problem =
      problem_on(parse_topology("torus(3,5)"), CollectiveKind::kReduce, 1, Switching::kPacket);
  const Compiled made = compile(problem);
  EXPECT_EQ(made.head.algorithm, "reversed(broadcast_torus)");
  const Compiled again = compile(problem, {.algorithm = made.head.algorithm});
  EXPECT_EQ(again.verdict.figures, made.verdict.figures);
  EXPECT_EQ(again.schedule->plan(), made.schedule->plan());
}

TEST(Lending, EveryLentNameIsAcceptedBack) {
  Sample sample(5);
  for (const char* spec : {"ring(6)", "mesh(3,4)", "star(4)", "fat_tree(2^3)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const uint32_t ports : {1U, 0U}) {
        for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
          if (!sample.takes()) continue;
          const Problem problem = problem_on(parse_topology(spec), kind, ports, switching);
          const Compiled made = compile(problem);
          const Compiled again = compile(problem, {.algorithm = made.head.algorithm});
          EXPECT_EQ(again.verdict.figures.steps, made.verdict.figures.steps) << made.head.algorithm;
        }
      }
    }
  }
}

std::string refusal(const Problem& problem, const std::string& algorithm) {
  try {
    static_cast<void>(compile(problem, {.algorithm = algorithm}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Lending, SaysWhatIsWrongWithTheNameOfALoan) {
  const Problem reduce =
      problem_on(parse_topology("ring(6)"), CollectiveKind::kReduce, 1, Switching::kPacket);
  EXPECT_NE(refusal(reduce, "turned(broadcast_bfs_tree)").find("takes no loan called 'turned'; there are: "),
            std::string::npos)
      << refusal(reduce, "turned(broadcast_bfs_tree)");
  EXPECT_NE(refusal(reduce, "reversed(broadcast_bfs_tree").find("a bracket without its other half"),
            std::string::npos);
  EXPECT_NE(refusal(reduce, "reversed(scatter_flow)").find("scatter_flow is for scatter, not for broadcast"),
            std::string::npos);
  EXPECT_NE(refusal(reduce, "reduce_bfs_tree + broadcast_bfs_tree").find("no two plans, one after the other"),
            std::string::npos);
  EXPECT_NE(refusal(reduce, "ports_2(reduce_bfs_tree)").find("takes no loan called 'ports_2'"),
            std::string::npos);
}

TEST(Lending, AnAllreduceIsAReduceAndABroadcast) {
  const Problem problem =
      problem_on(parse_topology("ring(6)"), CollectiveKind::kAllreduce, 1, Switching::kPacket);
  const Compiled made = compile(problem, {.algorithm = "reversed(broadcast_bfs_tree)+broadcast_bfs_tree"});
  EXPECT_TRUE(made.verdict.passed());
  EXPECT_EQ(made.head.algorithm, "reversed(broadcast_bfs_tree) + broadcast_bfs_tree");
}

// Whoever gathers and then spreads takes no more than twice the steps of either, on any network (worm_broadcast/path_merging.h).
TEST(Lending, OnALargeNetworkWormsGatherAndSpreadAlongPathsThatMerge) {
  const Topology topology = parse_topology("jellyfish(32,4,4;1)");  // 128 hosts
  const auto steps = all_steps(topology, 1, Switching::kWormhole);
  using enum CollectiveKind;
  for (const CollectiveKind kind : {kBroadcast, kReduce, kScatter, kGather}) EXPECT_EQ(steps.at(kind), 7);
  for (const CollectiveKind kind : {kAllgather, kReduceScatter, kAlltoall, kAllreduce}) {
    EXPECT_LE(steps.at(kind), 14) << name_of(kind);
    EXPECT_GE(steps.at(kind), 7) << name_of(kind);
  }
}

// Ports of the machines that are asked one after another.
std::vector<uint32_t> fewer_and_fewer(const std::string& spec) {
  Problem problem = problem_on(parse_topology(spec), CollectiveKind::kBroadcast, 0, Switching::kWormhole);
  std::vector<uint32_t> out;
  for (bool found = true; found;) {
    found = false;
    for (const Loan& loan : loans_for(problem)) {
      if (found || loan.kind != LoanKind::kWeaker || !loan.name.starts_with("ports_")) continue;
      const Problem lender = loan.lenders[0];
      out.push_back(lender.model().send.count);
      problem = lender;
      found = true;
    }
  }
  return out;
}

// Of so many blocks only the plan tells how many go where; with its own cards the exchange takes 27 and 10 steps.
TEST(LendingSlow, AnExchangeByWormsOnALargeNetworkGoesAlongAnAllgather) {
  for (const std::string_view spec : {"mesh(20,25)", "torus(6,7,9)"}) {
    const Topology topology = parse_topology(spec);
    const uint64_t gathered =
        steps_of(problem_on(topology, CollectiveKind::kAllgather, 0, Switching::kWormhole));
    EXPECT_EQ(steps_of(problem_on(topology, CollectiveKind::kAlltoall, 0, Switching::kWormhole)), gathered)
        << spec;
    EXPECT_LE(gathered, 7U) << spec;
  }
}

// The exchange borrows the plan of one port for its last step, and the allgather borrows the exchange.
TEST(Lending, AnAllgatherByWormsGetsTheLastStepThatTheExchangeFinds) {
  const Topology torus = parse_topology("torus(6,6)");
  EXPECT_EQ(steps_of(problem_on(torus, CollectiveKind::kAlltoall, 2, Switching::kWormhole)), 4U);
  EXPECT_EQ(steps_of(problem_on(torus, CollectiveKind::kAllgather, 2, Switching::kWormhole)), 4U);
  EXPECT_EQ(steps_of(problem_on(torus, CollectiveKind::kReduceScatter, 2, Switching::kWormhole)), 4U);
}

TEST(Lending, OfManyPortsOnALargeNetworkOnlySomeNumbersAreAsked) {
  EXPECT_EQ(fewer_and_fewer("complete(8)"), (std::vector<uint32_t>{6, 5, 4, 3, 2, 1}));
  // 12 still reach 169 in two steps, 5 reach 216 in three.
  EXPECT_EQ(fewer_and_fewer("complete(20)"), (std::vector<uint32_t>{9, 8, 7, 6, 5, 4, 3, 2, 1}));
  // A switch has 96 links, those around it 12.
  EXPECT_EQ(fewer_and_fewer("fat_tree(8;12)"), (std::vector<uint32_t>{12, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(fewer_and_fewer("complete(160)"), (std::vector<uint32_t>{79, 39, 19, 12, 6, 5, 4, 3, 2, 1}));
}

}  // namespace
}  // namespace quadrille::lending_test
