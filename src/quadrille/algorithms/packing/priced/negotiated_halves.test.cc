// Negotiated halves: from slow plans come much shorter ones, which the judge passes, over wide links, too.
#include "quadrille/algorithms/packing/priced/negotiated_halves.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/packing/swarms/slow_halves.test.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace negotiated_halves_test {
namespace {

constexpr uint64_t kLooks = 3'000'000;

Problem allreduce_on(std::string_view spec, uint32_t pieces) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, ports(0), NodeId{0}, pieces);
}

TEST(NegotiatedHalves, MakeMuchShorterPlansOfSlowOnes) {
  struct Row {
    std::string_view spec;
    uint32_t pieces;
  };
  for (const Row& row :
       {Row{"mesh(4,5)", 8}, Row{"tree(2^3)", 6}, Row{"torus(3,4)", 7}, Row{"complete(2)", 3},
        Row{"line(3)", 1}, Row{"edges(\"a b 2, b c 3, c d 2, d a\")", 8}}) {
    const Problem problem = allreduce_on(row.spec, row.pieces);
    const HalfSteps first = one_after_the_other(problem.topology(), row.pieces);
    ASSERT_TRUE(is_passed(problem, first)) << row.spec;
    const auto least = static_cast<uint64_t>(best_bound(problem).value.ceil());
    for (const bool anew : {false, true}) {
      const HalfSteps steps = negotiated_halves(problem.topology(), row.pieces, first, least,
                                                {.looks = kLooks, .begins_anew = anew});
      EXPECT_TRUE(is_passed(problem, steps)) << row.spec;
      EXPECT_LE(steps.size(), row.pieces > 3 ? first.size() / 2 : first.size()) << row.spec;
      EXPECT_GE(steps.size(), least) << row.spec;
    }
  }
}

TEST(NegotiatedHalves, LeaveWhatCannotBeShorter) {
  const Problem problem = allreduce_on("mesh(3,3)", 5);
  const HalfSteps first = one_after_the_other(problem.topology(), 5);
  const auto size_of = [&](const HalfSteps& before, uint64_t least) {
    return negotiated_halves(problem.topology(), 5, before, least, {.looks = kLooks}).size();
  };
  EXPECT_EQ(size_of(first, first.size()), first.size());
  EXPECT_LT(size_of(first, 1), first.size());
  // One piece at the middle: up to it, and down again.
  const Problem one = allreduce_on("line(5)", 1);
  EXPECT_EQ(negotiated_halves(one.topology(), 1, one_after_the_other(one.topology(), 1), 1, {.looks = kLooks})
                .size(),
            4U);
}

}  // namespace
}  // namespace negotiated_halves_test
}  // namespace quadrille
