#include "quadrille/compile/sizes/decision_time.h"

#include <gtest/gtest.h>

#include "quadrille/model/machine.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::decision_time_test {

// What is said beforehand is what the judged plan takes.
TEST(DecisionTime, IsThatOfThePlan) {
  for (const char* spec : {"torus(4,5)", "hypercube(4)", "mesh(3,3)", "ring(6)"}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kAlltoall, CollectiveKind::kAllgather, CollectiveKind::kBroadcast}) {
      const Problem problem = standard_problem(parse_topology(spec), kind, {.cost = default_machine().cost});
      for (const uint64_t bytes : {uint64_t{1}, uint64_t{4096}}) {
        const Wishes wishes{.bytes = bytes};
        const Decision decision = decide(problem, wishes);
        const Compiled made = compile(decision, wishes);
        ASSERT_TRUE(made.good() && made.time) << problem.title();
        const std::optional<double> time = time_of_plan(decision, bytes);
        ASSERT_TRUE(time) << problem.title();
        EXPECT_NEAR(*time, made.time->total, 1e-9 * made.time->total) << made.head.algorithm;
        if (const std::optional<double> said = time_of_decision(decision, bytes)) {
          EXPECT_EQ(*said, *time) << made.head.algorithm;
        }
      }
    }
  }
}

}  // namespace quadrille::decision_time_test
