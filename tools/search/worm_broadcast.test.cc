#include "worm_broadcast.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/search/refutation.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Problem broadcast_on(const std::vector<uint32_t>& sides) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = Routing::kDimensionOrder;
  return standard_problem(parse_topology(fmt::format("torus({})", fmt::join(sides, ","))),
                          CollectiveKind::kBroadcast, model);
}

void expect_judged(const std::vector<uint32_t>& sides, uint32_t steps,
                   const std::vector<WormBroadcast::Heard>& worms) {
  const Problem problem = broadcast_on(sides);
  const WormGrid grid = *WormGrid::of(problem.topology());
  WormPlan plan(steps, WormStep(sides.size()));
  for (uint32_t node = 1; node < worms.size(); ++node) {
    std::vector<int32_t> back = worms[node].hops;
    for (int32_t& each : back) each = -each;
    plan[worms[node].step - 1].add(grid.shape().moved(node, back), worms[node].hops);
  }
  Judge judge(problem);
  send_worms(problem, grid, plan, judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title() << ": " << to_text(verdict.findings.front());
}

void expect_found(const std::vector<uint32_t>& sides, uint32_t steps, const WormConditions& conditions = {},
                  uint32_t conflicts = 50'000) {
  const WormBroadcast question(sides, steps, conditions);
  const SearchAnswer answer =
      solve(question.formula(), {.conflicts = conflicts, .focus = SearchFocus::kSolutions});
  ASSERT_TRUE(answer.satisfiable()) << fmt::format("{} in {}", fmt::join(sides, " x "), steps);
  expect_judged(sides, steps, question.worms(answer));
}

void expect_refuted(const std::vector<uint32_t>& sides, uint32_t steps) {
  const WormBroadcast question(sides, steps);
  const SearchAnswer answer = solve(question.formula(), {.want_proof = true});
  ASSERT_TRUE(answer.unsatisfiable()) << fmt::format("{} in {}", fmt::join(sides, " x "), steps);
  const RefutationCheck check = check_refutation(question.formula(), answer.proof);
  EXPECT_TRUE(check.refutes) << check.why;
}

TEST(WormBroadcastSearch, TheBoundIsExactOnSmallTori) {
  const std::vector<std::vector<uint32_t>> tori = {{2},    {3},       {4},       {9},       {2, 2}, {2, 3},
                                                   {3, 2}, {3, 3},    {2, 4},    {4, 2},    {3, 4}, {4, 3},
                                                   {4, 4}, {2, 2, 2}, {3, 2, 2}, {2, 2, 3}, {2, 5}};
  for (const std::vector<uint32_t>& sides : tori) {
    const auto least = static_cast<uint32_t>(best_bound(broadcast_on(sides)).value.ceil());
    expect_found(sides, least);
    expect_refuted(sides, least - 1);
  }
}

TEST(WormBroadcastSearch, FindsWhatTheLibraryKeeps) {
  expect_found({6, 6}, 3);
  expect_found({7, 7}, 3, {.mirrored = true});
  expect_found({4, 6}, 3, {.mirrored = true});
  expect_found({5, 5}, 3, {.mirrored = false, .quiet = {{2}, {2}}});
}

TEST(WormBroadcastSearchSlow, FindsLargerOnes) {
  expect_found({9, 9}, 3, {.mirrored = true, .quiet = {{4, 5}, {4, 5}}}, 1'000'000);
  expect_found({5, 5, 5}, 3, {.mirrored = true}, 1'000'000);
}

}  // namespace
}  // namespace quadrille
