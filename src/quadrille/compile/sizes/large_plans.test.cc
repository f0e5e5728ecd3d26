#include "quadrille/compile/sizes/large_plans.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

Problem timed(const char* topology, CollectiveKind kind) {
  Model model;
  model.packets = Packets::kMany;
  model.cost = {.ts = 1, .tx = 0.001, .in_microseconds = true};
  return make_problem(parse_topology(topology), kind, model, {});
}

struct Asked {
  const char* topology;
  CollectiveKind kind;
};

class LargePlans : public ::testing::TestWithParam<Asked> {};

// What is told of a size is what a plan for it takes, judged.
TEST_P(LargePlans, ATableSaysWhatThePlanTakes) {
  const Problem problem = timed(GetParam().topology, GetParam().kind);
  const std::vector<uint64_t> sizes = {64, 1 << 20};
  const SizeSweep sweep = sweep_sizes(problem, sizes, 2);
  ASSERT_EQ(sweep.rows.size(), sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Wishes wishes{.bytes = sizes[i], .any_pieces = true, .stored = false};
    const Compiled made = compile(decide(problem, wishes), wishes);
    ASSERT_TRUE(made.time);
    EXPECT_LE(sweep.rows[i].time, made.time->total * (1 + 1e-9)) << sizes[i];
    const SizedPlan& plan = sweep.plans[sweep.rows[i].best];
    const Wishes named{.algorithm = plan.algorithm, .bytes = sizes[i], .stored = false};
    const Compiled same = compile(decide(in_pieces(problem, plan.pieces), named), named);
    ASSERT_TRUE(same.time);
    EXPECT_NEAR(same.time->total, sweep.rows[i].time, 1e-6 * sweep.rows[i].time) << plan.algorithm;
    EXPECT_GE(sweep.rows[i].time, sweep.rows[i].bound.time * (1 - 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, LargePlans,
                         ::testing::Values(Asked{"random_regular(130,3;1)", CollectiveKind::kAllgather},
                                           Asked{"fat_tree(2^6;constant)", CollectiveKind::kBroadcast},
                                           Asked{"torus(12,12)", CollectiveKind::kReduceScatter}),
                         [](const auto& of) {
                           std::string out = of.param.topology;
                           std::erase_if(
                               out, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return out + "_" + std::string(name_of(of.param.kind));
                         });

TEST(LargePlansOfSmallNetworks, AreNotAskedFor) {
  const std::vector<uint64_t> sizes = {64, 1 << 20};
  const Problem problem = timed("torus(4,4)", CollectiveKind::kAllgather);
  const auto none = chosen_at_large(problem, sizes, {}, LeastTime(problem, all_bounds(problem)), 1);
  ASSERT_EQ(none.size(), 2U);
  EXPECT_FALSE(none[0] || none[1]);
}

}  // namespace
}  // namespace quadrille
