#include "quadrille/algorithms/partial_sums/sum_trials.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_search;
}  // namespace algorithms

namespace sum_trials_test {

Problem on(std::string_view spec, uint32_t count, Duplex duplex = Duplex::kFull) {
  Model model = ports(count);
  model.duplex = duplex;
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model);
}

struct Known {
  std::string_view spec;
  uint32_t ports;
  Duplex duplex;
  uint32_t steps;
};

TEST(SumTrials, FindPlansThatTheJudgePasses) {
  for (const auto& [spec, ports, duplex, steps] :
       {Known{"torus(4,4)", 1, Duplex::kFull, 6}, Known{"random_regular(14,5;4)", 1, Duplex::kFull, 5},
        Known{"random_regular(16,4;2)", 2, Duplex::kFull, 6},
        Known{"random_regular(16,3;1)", 0, Duplex::kFull, 6}, Known{"gpu_box(8,2)", 1, Duplex::kFull, 9},
        Known{"torus(4,4)", 0, Duplex::kHalf, 5}, Known{"circulant(15;1,4)", 0, Duplex::kHalf, 5},
        Known{"torus(4,4)", 1, Duplex::kHalf, 8}, Known{"de_bruijn(2,4)", 1, Duplex::kFull, 9}}) {
    const Problem problem = on(spec, ports, duplex);
    const std::optional<SumPlan> plan = try_sums(problem, steps, 20'000);
    ASSERT_TRUE(plan.has_value()) << spec;
    const std::optional<std::vector<SumSlots>> slots = slots_of(problem.topology(), *plan);
    ASSERT_TRUE(slots.has_value()) << spec;
    Plan steps_of_it;
    push_sums(problem, *plan, *slots, steps_of_it);
    const Verification out = verify(problem, std::move(steps_of_it));
    EXPECT_TRUE(out.verdict.passed()) << spec;
  }
}

TEST(SumTrials, GiveUpWhereThereIsNoPlan) {
  EXPECT_FALSE(try_sums(on("torus(4,4)", 0), 3, 2'000).has_value());  // somebody is four hops away
  EXPECT_FALSE(try_sums(on("complete(65)", 0), 8, 10).has_value());   // more ranks than there are bits
}

// On links of half duplex a tree up and down takes twice its height, and sums that go their own ways hardly more than the height.
TEST(AllreduceSearch, KnowsHalfDuplex) {
  for (const auto& [spec, ports, duplex, steps] :
       {Known{"torus(4,4)", 0, Duplex::kHalf, 5}, Known{"star(3)", 0, Duplex::kHalf, 4},
        Known{"line(2)", 0, Duplex::kHalf, 2}, Known{"complete(1)", 0, Duplex::kHalf, 0}}) {
    EXPECT_LE(judged_steps(algorithms::allreduce_search, on(spec, ports, duplex)), steps) << spec;
  }
  EXPECT_FALSE(algorithms::allreduce_search.applies(on("torus(6,6)", 0, Duplex::kHalf)).applies);
  EXPECT_FALSE(algorithms::allreduce_search.applies(on("de_bruijn(2,4)", 0, Duplex::kHalf)).applies);
}

}  // namespace sum_trials_test
}  // namespace quadrille
