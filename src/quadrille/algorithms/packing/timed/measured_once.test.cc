#include "quadrille/algorithms/packing/timed/measured_once.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace measured_once_test {
namespace {

int plans_made = 0;

void two_steps(const Problem& /*problem*/, StepSink& sink) {
  ++plans_made;
  StepBuilder step;
  for (uint32_t s = 0; s < 2; ++s) {
    step.add(ArcId{s}, BlockId{s + 1});
    step.flush(sink);
  }
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (!WorthMaking::is_any_of(2)) return {};
  return measured_once<two_steps>(problem, plan);
}

Problem exchange_on(const char* spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {});
}

PreparedPlan prepared(const Problem& problem) {
  return by_measuring<predicted, two_steps>(problem).plans.front();
}

TEST(MeasuredOnce, MakesNoPlanAgainWhileFiguresAreKept) {
  plans_made = 0;
  const Problem four = exchange_on("ring(4)");
  EXPECT_EQ(prepared(four)->prediction().steps, 2U);
  EXPECT_EQ(prepared(four)->prediction().steps, 2U);
  EXPECT_EQ(plans_made, 2);  // nobody keeps
  const KeptPaths kept;
  EXPECT_EQ(prepared(four)->prediction().steps, 2U);
  const PreparedPlan again = prepared(four);
  EXPECT_EQ(again->prediction().start_ups, 2U);
  EXPECT_EQ(plans_made, 3);
  EXPECT_EQ(prepared(exchange_on("ring(5)"))->prediction().steps, 2U);
  EXPECT_EQ(plans_made, 4);
  Plan made;
  again->generate(made);
  EXPECT_EQ(made.num_steps(), 2U);
  EXPECT_EQ(plans_made, 5);
}

TEST(MeasuredOnce, SaysNoMoreThanIsAskedThoughItIsKnown) {
  const Problem four = exchange_on("ring(4)");
  const KeptPaths kept;
  EXPECT_EQ(prepared(four)->prediction().steps, 2U);
  const WorthMaking wanted(2);
  EXPECT_FALSE(prepared(four)->prediction().steps);
}

}  // namespace
}  // namespace measured_once_test
}  // namespace quadrille
