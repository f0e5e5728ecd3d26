// What the fat-tree cards predict without proof, tried as far as they predict it. Minutes; not in the unit
// tests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_fat_tree_one_buffer;
extern const Algorithm allgather_fat_tree_queues;
extern const Algorithm alltoall_fat_tree_earliest_fit;
extern const Algorithm alltoall_fat_tree_queue_free;
extern const Algorithm alltoall_fat_tree_queues;
}  // namespace algorithms

namespace fat_trees_slow_test {

void expect_prediction_holds(const Algorithm& card, const std::string& spec, const Model& model = {}) {
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model);
  Judge judge(problem);
  card.plan_for(problem)->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << " on " << spec;
  EXPECT_EQ(card.plan_for(problem)->prediction().steps.value(), verdict.figures.steps)
      << card.name << " on " << spec;
}

// Calls use(spec) for every height and arity with at most so many leaves.
template <typename Use>
void for_each_uniform(uint32_t most_leaves, Use use) {
  for (uint32_t k = 2; k * k <= most_leaves; ++k) {
    uint64_t leaves = k;
    for (uint32_t h = 1; leaves <= most_leaves; ++h, leaves *= k) use(fmt::format("fat_tree({}^{})", k, h));
  }
}

TEST(FatTreesSlow, EarliestFitMeetsTheBoundOnEveryTreeWithUnitCapacitiesThatItServes) {
  for_each_uniform(1024, [](const std::string& spec) {
    expect_prediction_holds(algorithms::alltoall_fat_tree_earliest_fit, spec);
  });
}

TEST(FatTreesSlow, OneSendPortMeetsTheBoundOnEveryTreeOfOneArity) {
  Model model;
  model.send = kOnePort;
  for_each_uniform(1024, [&model](const std::string& spec) {
    expect_prediction_holds(algorithms::alltoall_fat_tree_queues, spec, model);
    expect_prediction_holds(algorithms::allgather_fat_tree_queues, spec, model);
  });
}

TEST(FatTreesSlow, OnePortCostsAtMostFourStepsMoreThanOneSendPort) {
  Model model;
  model.send = model.receive = kOnePort;
  for_each_uniform(1024, [&model](const std::string& spec) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
    Judge judge(problem);
    algorithms::alltoall_fat_tree_earliest_fit.plan_for(problem)->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << spec;
    EXPECT_LE(static_cast<int64_t>(verdict.figures.steps), best_bound(problem).value.ceil() + 4) << spec;
  });
}

TEST(FatTreesSlow, WindowsFitOn1024Leaves) {
  for (const auto* spec :
       {"fat_tree(2^10)", "fat_tree(32,8,4;1,4,8)", "fat_tree(32,8,4;1,5,7)", "fat_tree(4^5;2,3,7,11,13)",
        "fat_tree(2^10;exponential)", "fat_tree(16,16,4;4,16,32)"}) {
    expect_prediction_holds(algorithms::alltoall_fat_tree_queue_free, spec);
  }
}

TEST(FatTreesSlow, OneBufferIsEnoughForNStepsWithThreeOrMoreChildren) {
  for (const auto* spec : {"fat_tree(3^5)", "fat_tree(4^4)", "fat_tree(6^3)", "fat_tree(7^2)"}) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAllgather);
    EXPECT_EQ(algorithms::allgather_fat_tree_one_buffer.plan_for(problem)->prediction().steps,
              problem.topology().num_endpoints());
    expect_prediction_holds(algorithms::allgather_fat_tree_one_buffer, spec);
  }
}

}  // namespace fat_trees_slow_test
}  // namespace quadrille
