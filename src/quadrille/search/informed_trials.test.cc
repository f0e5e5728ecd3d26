// Informed trials: what they find is enough, by the formula, and a step less is where the formula says that there is none.
#include "quadrille/search/informed_trials.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "quadrille/search/everybody_informed.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace informed_trials_test {

constexpr uint32_t kTrials = 2'000;

TEST(InformedTrials, FindNoFewerStepsThanThereAre) {
  for (const char* spec :
       {"line(2)", "line(5)", "ring(7)", "ring(8)", "complete(5)", "edges(\"a b, a c, a d, a e\")",
        "mesh(3,3)", "hypercube(3)", "tree(2^2)", "fat_tree(2^2;constant)", "generalized_petersen(5,2)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t ports : {1U, 2U, 3U}) {
      const MessageLimits limits{ports, ports};
      const std::optional<uint32_t> enough = informed_within(net, limits, 1, kTrials);
      ASSERT_TRUE(enough.has_value()) << spec;
      EXPECT_TRUE(solve(EverybodyInformed(net, limits, *enough).formula()).satisfiable())
          << spec << ", " << ports << " ports: " << *enough;
    }
  }
}

TEST(InformedTrials, KnowRingsAndCubes) {
  EXPECT_EQ(informed_within(parse_topology("ring(8)"), {1, 1}, 1, kTrials), 4U);
  EXPECT_EQ(informed_within(parse_topology("hypercube(4)"), {1, 1}, 1, kTrials), 4U);
  EXPECT_EQ(informed_within(parse_topology("line(7)"), {2, 2}, 1, kTrials), 6U);
  EXPECT_EQ(informed_within(parse_topology("line(7)"), {}, 1, kTrials), 6U);
}

TEST(InformedTrials, StopWhereSoManyStepsAreTakenAnyhow) {
  EXPECT_EQ(informed_within(parse_topology("ring(8)"), {1, 1}, 9, kTrials), 9U);
  EXPECT_EQ(informed_within(parse_topology("ring(64)"), {1, 1}, 32, 0).value_or(0) >= 32U, true);
  EXPECT_FALSE(informed_within(parse_topology("ring(65)"), {1, 1}, 1, kTrials).has_value());
}

// Whether all have heard from all, and nobody sends or hears more than there are ports.
bool are_enough(const Topology& net, const MessagesOfSteps& messages, uint32_t ports) {
  std::vector<uint64_t> heard(net.num_nodes(), 0);
  for (const NodeId v : net.endpoints()) heard[index(v)] = uint64_t{1} << index(*net.rank(v));
  for (const std::vector<ArcId>& step : messages) {
    const std::vector<uint64_t> before = heard;
    std::vector<uint32_t> starts(net.num_nodes(), 0);
    std::vector<uint32_t> ends(net.num_nodes(), 0);
    for (const ArcId arc : step) {
      heard[index(net.head(arc))] |= before[index(net.tail(arc))];
      if (++starts[index(net.tail(arc))] > ports || ++ends[index(net.head(arc))] > ports) return false;
    }
  }
  for (const NodeId v : net.endpoints()) {
    if (heard[index(v)] != (uint64_t{1} << net.num_endpoints()) - 1) return false;
  }
  return true;
}

TEST(InformedTrials, SayWhoSendsToWhom) {
  for (const char* spec : {"torus(4,4)", "random_regular(16,3;1)", "gpu_box(8,2)", "de_bruijn(2,4)"}) {
    const Topology net = parse_topology(spec);
    for (const uint32_t ports : {1U, 2U}) {
      InformedTrials trials(net, {ports, ports});
      const std::optional<uint32_t> enough = trials.hurry(100);
      ASSERT_TRUE(enough.has_value()) << spec;
      EXPECT_EQ(trials.messages().size(), *enough);
      EXPECT_TRUE(are_enough(net, trials.messages(), ports)) << spec;
      uint32_t left = 20'000;
      ASSERT_TRUE(trials.find(*enough, left)) << spec;
      const MessagesOfSteps first = trials.messages();
      EXPECT_TRUE(are_enough(net, first, ports)) << spec;
      ASSERT_TRUE(trials.find(*enough, left)) << spec;
      EXPECT_TRUE(are_enough(net, trials.messages(), ports)) << spec;
      if (ports > 1) continue;  // all links, where there are no more
      EXPECT_TRUE(trials.messages() != first) << spec;
    }
  }
}

TEST(InformedTrials, NeedNoStepsForOneRank) {
  InformedTrials trials(parse_topology("complete(1)"), {1, 1});
  uint32_t left = 10;
  EXPECT_EQ(trials.hurry(3), 0U);
  EXPECT_TRUE(trials.find(0, left));
  EXPECT_TRUE(trials.find(1, left));
}

TEST(InformedTrials, FindNothingInTooFewSteps) {
  InformedTrials trials(parse_topology("ring(8)"), {1, 1});
  uint32_t left = 500;
  EXPECT_FALSE(trials.find(3, left));
  EXPECT_EQ(left, 0U);
  EXPECT_FALSE(trials.find(0, left));
  EXPECT_FALSE(trials.hurry(3).has_value());
}

}  // namespace informed_trials_test
}  // namespace quadrille
