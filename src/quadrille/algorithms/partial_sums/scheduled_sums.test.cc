// Scheduled sums: what they find passes the judge, in the steps of the messages that were given, and where nothing is said by
// somebody who must be heard they find nothing.
#include "quadrille/algorithms/partial_sums/scheduled_sums.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace scheduled_sums_test {

MessageLimits limits_of(uint32_t ports) { return ports == 0 ? MessageLimits{} : MessageLimits{ports, ports}; }

// The first that go with one of the schedules found.
std::optional<SumPlan> found(const Topology& net, uint32_t count, uint32_t steps) {
  InformedTrials trials(net, limits_of(count));
  Rng rng(1);
  uint32_t left = 50'000;
  ScheduledSumsBudget budget{.looks = uint64_t{1} << 26U};
  for (int i = 0; i < 50 && trials.find(steps, left); ++i) {
    if (std::optional<SumPlan> plan = scheduled_sums(net, trials.messages(), budget, rng)) return plan;
  }
  return std::nullopt;
}

struct Known {
  std::string_view spec;
  uint32_t ports;
  uint32_t steps;
};

TEST(ScheduledSums, PassTheJudge) {
  for (const auto& [spec, count, steps] :
       {Known{"torus(4,4)", 1, 5}, Known{"random_regular(16,3;1)", 1, 6},
        Known{"random_regular(16,4;2)", 1, 5}, Known{"random_regular(16,4;2)", 2, 4},
        Known{"random_regular(16,4;2)", 0, 3}, Known{"random_regular(16,5;3)", 1, 5},
        Known{"generalized_petersen(8,3)", 1, 5}, Known{"de_bruijn(2,4)", 1, 8},
        Known{"de_bruijn(2,4)", 0, 5}, Known{"gpu_box(8,2)", 1, 9},
        Known{"edges(\"a b, b c, c d, d e, c f\")", 1, 6}, Known{"line(2)", 1, 1},
        Known{"complete(64)", 63, 1}}) {
    const Topology net = parse_topology(spec);
    const Problem problem = standard_problem(net, CollectiveKind::kAllreduce, ports(count));
    const std::optional<SumPlan> plan = found(net, count, steps);
    ASSERT_TRUE(plan.has_value()) << spec;
    EXPECT_EQ(plan->steps(), steps) << spec;
    const std::optional<std::vector<SumSlots>> slots = slots_of(net, *plan);
    ASSERT_TRUE(slots.has_value()) << spec;
    Plan made;
    push_sums(problem, *plan, *slots, made);
    EXPECT_TRUE(verify(problem, std::move(made)).verdict.passed()) << spec << ", " << count << " ports";
  }
}

TEST(ScheduledSums, AreNotFoundWhereSomebodyIsNotHeard) {
  const Topology net = parse_topology("line(3)");
  const ArcId to_the_middle = *net.find_arc(NodeId{0}, NodeId{1});
  const ArcId back = *net.find_arc(NodeId{1}, NodeId{0});
  const ArcId from_the_end = *net.find_arc(NodeId{2}, NodeId{1});
  const ArcId to_the_end = *net.find_arc(NodeId{1}, NodeId{2});
  Rng rng(1);
  ScheduledSumsBudget budget;
  EXPECT_TRUE(
      scheduled_sums(net, {{to_the_middle, from_the_end}, {back, to_the_end}}, budget, rng).has_value());
  EXPECT_FALSE(scheduled_sums(net, {{to_the_middle, from_the_end}, {back}}, budget, rng).has_value());
  EXPECT_FALSE(scheduled_sums(net, {{back, from_the_end}, {back, to_the_end}}, budget, rng).has_value());
  EXPECT_FALSE(scheduled_sums(net, {}, budget, rng).has_value());
  budget.looks = 3;
  EXPECT_FALSE(
      scheduled_sums(net, {{to_the_middle, from_the_end}, {back, to_the_end}}, budget, rng).has_value());
  EXPECT_EQ(budget.looks, 0U);
}

}  // namespace scheduled_sums_test
}  // namespace quadrille
