#include "quadrille/algorithms/packing/timed/repeated_paths.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace repeated_paths_test {

// Every count times `times`, of which the paths are those of one.
struct Repetition {
  Problem problem;
  uint64_t busiest;
  RepeatedPaths paths;
};

Repetition repetition(std::string_view spec, const Model& model, uint32_t times) {
  const Topology net = parse_topology(spec);
  const Problem one = counted_problem(net, mixed_counts(net.num_endpoints(), 3), model);
  const Counts& counts = *one.collective().counts();
  std::vector<Counts::Entry> entries(counts.entries().begin(), counts.entries().end());
  for (Counts::Entry& e : entries) e.count *= times;
  const Problem problem = counted_problem(net, Counts(counts.num_ranks(), std::move(entries)), model);
  const PricedPaths priced(one);
  TimedPaths paths = ordered_paths(one, priced);
  for (BlockId& block : paths.blocks) block = BlockId{static_cast<uint32_t>(index(block)) * times};
  return {problem, priced.busiest(), repeated(one, paths, times)};
}

TEST(RepeatedPaths, AreAPlanWithTheStepsThatTheySay) {
  Model half;
  half.duplex = Duplex::kHalf;
  for (const char* spec : {"mesh(3,4)", "torus(4,4)", "kautz(2,3)", "clos(4)", "hypercube(3)"}) {
    for (const Model& model : {ports(0), ports(1), ports(2), half}) {
      for (const uint32_t times : {1U, 2U, 9U}) {
        const Repetition made = repetition(spec, model, times);
        Plan plan;
        made.paths.generate(plan);
        const Verdict verdict = verify(made.problem, plan).verdict;
        ASSERT_TRUE(verdict.passed()) << spec << ", " << describe(model) << ", " << times << " times";
        EXPECT_EQ(verdict.figures.steps, made.paths.steps()) << spec;
        EXPECT_EQ(verdict.figures.start_ups, made.paths.start_ups()) << spec;
      }
    }
  }
}

// With all ports any packet can wait for its link's turn.
TEST(RepeatedPaths, HaveThePeriodOfTheBusiestLink) {
  for (const char* spec : {"mesh(3,4)", "kautz(2,3)", "clos(4)", "line(5)"}) {
    const Repetition made = repetition(spec, ports(0), 100);
    EXPECT_EQ(made.paths.period, made.busiest) << spec;
  }
}

TEST(RepeatedPaths, OfNothingTakeNoStep) {
  const Problem problem = counted_problem(parse_topology("line(3)"), Counts(3, {}));
  const RepeatedPaths none = repeated(problem, {}, 7);
  EXPECT_EQ(none.steps(), 0U);
  EXPECT_EQ(none.start_ups(), 0U);
  Plan plan;
  none.generate(plan);
  EXPECT_EQ(plan.num_steps(), 0U);
}

}  // namespace repeated_paths_test
}  // namespace quadrille
