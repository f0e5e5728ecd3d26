// Halves in turn: from trees that are sent up and down one after the other come much shorter plans, which the judge passes, through
// routers and over wide links, too.
#include "quadrille/algorithms/packing/swarms/halves_in_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/packing/swarms/slow_halves.test.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace halves_in_turn_test {
namespace {

constexpr uint64_t kLooks = 1'000'000;

Problem allreduce_on(std::string_view spec, uint32_t pieces) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, ports(0), NodeId{0}, pieces);
}

TEST(HalvesInTurn, MakeMuchShorterPlansOfSlowOnes) {
  struct Row {
    std::string_view spec;
    uint32_t pieces;
  };
  for (const Row& row : {Row{"mesh(4,5)", 8}, Row{"tree(2^3)", 6}, Row{"jellyfish(8,3,2;1)", 12},
                         Row{"torus(3,4)", 7}, Row{"edges(\"a b 2, b c 3, c d 2, d a\")", 8}}) {
    const Problem problem = allreduce_on(row.spec, row.pieces);
    const HalfSteps first = one_after_the_other(problem.topology(), row.pieces);
    ASSERT_TRUE(is_passed(problem, first)) << row.spec;
    const auto least = static_cast<uint64_t>(best_bound(problem).value.ceil());
    const HalfSteps steps = halves_in_turn(problem.topology(), row.pieces, first, least, kLooks);
    EXPECT_TRUE(is_passed(problem, steps)) << row.spec;
    EXPECT_LE(2 * steps.size(), first.size()) << row.spec;
    EXPECT_GE(steps.size(), least) << row.spec;
  }
}

TEST(HalvesInTurn, LeaveWhatCannotBeShorter) {
  const Problem problem = allreduce_on("line(3)", 1);
  const HalfSteps first = one_after_the_other(problem.topology(), 1);
  EXPECT_EQ(halves_in_turn(problem.topology(), 1, first, 0, kLooks).size(), first.size());
  EXPECT_EQ(halves_in_turn(problem.topology(), 1, first, first.size(), kLooks).size(), first.size());
}

// More effort tries more ties.
TEST(HalvesInTurn, AreNoLongerWithMoreEffort) {
  const Problem problem = allreduce_on("mesh(5,5)", 20);
  const HalfSteps first = one_after_the_other(problem.topology(), 20);
  const size_t steps = halves_in_turn(problem.topology(), 20, first, 0, kLooks).size();
  const SearchLimits more({.effort = 4});
  EXPECT_LE(halves_in_turn(problem.topology(), 20, first, 0, kLooks).size(), steps);
}

}  // namespace
}  // namespace halves_in_turn_test
}  // namespace quadrille
