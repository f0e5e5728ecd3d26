#include "quadrille/algorithms/cayley/relay_sequences.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace relay_sequences_test {
namespace {

StepRoom room(const Topology& net, uint32_t ports) {
  return {std::vector<uint32_t>(net.cayley()->generators.size(), 1), ports};
}

// The fewest hops of every displacement, by trying all subsets of the steps in their order.
void walk(const CayleyStructure& cayley, const RelaySequence& sequence, size_t step, uint32_t at,
          uint32_t hops, std::vector<uint32_t>& fewest) {
  if (step == sequence.steps.size()) {
    fewest[at] = std::min(fewest[at], hops);
    return;
  }
  walk(cayley, sequence, step + 1, at, hops, fewest);
  for (const uint32_t g : sequence.steps[step])
    walk(cayley, sequence, step + 1, cayley.group->multiply(at, cayley.generators[g]), hops + 1, fewest);
}

TEST(RelaySequences, TakeTheFewestHopsThatTheirStepsHave) {
  for (const char* const spec : {"complete(2)", "complete(7)", "complete(16)", "hypercube(4)", "torus(3,4)",
                                 "star(4)", "generalized_hypercube(3,4)", "circulant(13;1,5)"}) {
    const Topology net = parse_topology(spec);
    const CayleyStructure& cayley = *net.cayley();
    for (const uint32_t ports : {1U, 2U}) {
      if (ports >= cayley.generators.size()) continue;
      for (const RelaySequence& sequence : *relay_sequences(cayley, room(net, ports))) {
        if (sequence.start_ups() > 8) continue;
        std::vector<uint32_t> fewest(net.num_nodes(), UINT32_MAX);
        walk(cayley, sequence, 0, 0, 0, fewest);
        uint64_t hops = 0;
        for (const uint32_t h : fewest) hops += h;
        EXPECT_LE(hops, sequence.rounds * ports) << spec << " in " << sequence.start_ups();
        if (ports == 1) {
          EXPECT_EQ(hops, sequence.rounds) << spec << " in " << sequence.start_ups();
        }
        const std::vector<uint32_t> taken = relay_hops(cayley, room(net, ports), sequence);
        const auto used =
            static_cast<uint64_t>(std::ranges::count_if(taken, [](uint32_t h) { return h > 0; }));
        EXPECT_EQ(used, hops) << spec << " in " << sequence.start_ups();
      }
    }
  }
}

TEST(RelaySequences, AreAsGoodAsRadicesAndBetterBetweenThem) {
  const auto rounds_in = [](uint32_t nodes, uint64_t start_ups) {
    const Topology net = parse_topology("complete(" + std::to_string(nodes) + ")");
    for (const RelaySequence& sequence : *relay_sequences(*net.cayley(), room(net, 1)))
      if (sequence.start_ups() == start_ups) return sequence.rounds;
    return uint64_t{0};
  };
  EXPECT_EQ(rounds_in(16, 4), 32U);
  EXPECT_EQ(rounds_in(64, 6), 192U);
  EXPECT_LE(rounds_in(64, 8), 147U) << "155 of mixed radices";
  EXPECT_LE(rounds_in(64, 12), 118U) << "126 of mixed radices";
  EXPECT_EQ(rounds_in(1000, 10), 4932U) << "Bruck's";
  EXPECT_LE(rounds_in(100, 18), 180U);
}

TEST(RelaySequences, LieOnAFront) {
  for (const char* const spec : {"complete(40)", "torus(5,5)", "cube_connected_cycles(3)"}) {
    const Topology net = parse_topology(spec);
    const std::vector<RelaySequence> found = *relay_sequences(*net.cayley(), room(net, 1));
    ASSERT_FALSE(found.empty()) << spec;
    for (size_t i = 1; i < found.size(); ++i) {
      EXPECT_GT(found[i].start_ups(), found[i - 1].start_ups());
      EXPECT_LT(found[i].rounds, found[i - 1].rounds);
    }
  }
}

TEST(RelaySequences, ArePlansOfAllSizes) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_index");
  for (const char* const spec : {"complete(3)", "complete(5)", "complete(12)", "complete(33)", "ring(4)",
                                 "torus(3,5)", "hypercube(3)", "star(4)"}) {
    for (const uint32_t count : {1U, 2U, 3U}) {
      Model model = ports(count);
      model.packets = Packets::kMany;
      const Topology net = parse_topology(spec);
      if (net.cayley()->generators.size() <= count) continue;
      const Problem problem = standard_problem(net, CollectiveKind::kAlltoall, model);
      const Preparation ready = prepare(card, problem);
      ASSERT_TRUE(ready.fits.applies) << spec << ": " << ready.fits.reason;
      for (const PreparedPlan& plan : ready.plans) {
        Judge judge(problem);
        plan->generate(judge);
        const Verdict verdict = judge.finish();
        ASSERT_TRUE(verdict.passed()) << spec << ":" << plan->member();
        EXPECT_EQ(verdict.figures.critical_blocks, *plan->prediction().critical_blocks) << spec;
        EXPECT_EQ(verdict.figures.start_ups, *plan->prediction().start_ups) << spec;
        EXPECT_EQ(verdict.figures.busiest_link, *plan->prediction().busiest_link) << spec;
      }
    }
  }
}

// Switches that block no permutation carry a step of all ranks at once.
TEST(RelaySequences, GoThroughFoldedClosNetworksWithoutWaiting) {
  const Algorithm& card = *algorithm_catalog().find("alltoall_bruck");
  for (const char* const spec : {"clos(4)", "xgft(2,3,4;1,3,4)"}) {
    for (const Switching switching : {Switching::kWormhole, Switching::kShared}) {
      Model model = ports(1);
      model.switching = switching;
      const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
      const Preparation ready = prepare(card, problem);
      ASSERT_TRUE(ready.fits.applies) << spec << ": " << ready.fits.reason;
      const RelaySequences sequences = relay_sequences_of_ranks(problem.collective().num_ranks(), 1);
      uint32_t members = 0;
      for (const PreparedPlan& plan : ready.plans) {
        Judge judge(problem);
        plan->generate(judge);
        const Verdict verdict = judge.finish();
        ASSERT_TRUE(verdict.passed()) << spec << ":" << plan->member();
        for (const RelaySequence& sequence : *sequences) {
          if (plan->member() != std::to_string(sequence.start_ups())) continue;
          ++members;
          EXPECT_EQ(verdict.figures.start_ups, sequence.start_ups()) << spec;
          EXPECT_EQ(verdict.figures.critical_blocks, sequence.rounds) << spec;
        }
      }
      EXPECT_GE(members, 2U) << spec;
    }
  }
}

}  // namespace
}  // namespace relay_sequences_test
}  // namespace quadrille
