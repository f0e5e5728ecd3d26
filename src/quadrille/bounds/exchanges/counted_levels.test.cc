#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace counted_levels_test {

Bound bound_of(const Problem& problem) {
  const std::vector<Bound> bounds = bounds_of(*bound_catalog().find("counted_levels"), problem);
  EXPECT_EQ(bounds.size(), 1U) << problem.title();
  return bounds.at(0);
}

Rational value_of(std::string_view spec, std::vector<Counts::Entry> entries, const Model& model = {}) {
  const Topology net = parse_topology(spec);
  return bound_of(counted_problem(net, Counts(net.num_endpoints(), std::move(entries)), model)).value;
}

TEST(CountedLevels, AddTheDistanceToTheDegree) {
  EXPECT_EQ(value_of("line(5)", {{Rank{0}, Rank{4}, 7}}), Rational(10));
  EXPECT_EQ(value_of("ring(6)", {{Rank{0}, Rank{3}, 8}}), Rational(6));
  EXPECT_EQ(value_of("torus(8,8)", {{Rank{0}, Rank{3}, 100}}), Rational(27));
  EXPECT_EQ(value_of("torus(8,8)", {{Rank{0}, Rank{3}, 100}}, ports(1)), Rational(102));
}

TEST(CountedLevels, LookAtReceiversAsWell) {
  EXPECT_EQ(value_of("line(4)", {{Rank{1}, Rank{0}, 1}, {Rank{3}, Rank{0}, 4}, {Rank{2}, Rank{0}, 2}}),
            Rational(7));
}

TEST(CountedLevels, AreTheDegreeOfNeighboursAndSayNothingThen) {
  const Topology net = parse_topology("complete(6)");
  EXPECT_TRUE(
      bounds_of(*bound_catalog().find("counted_levels"), counted_problem(net, mixed_counts(6, 3))).empty());
}

TEST(CountedLevels, AreProvedByACutThatMoves) {
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    const auto size = 2 + static_cast<uint32_t>(rng.below(9));
    const Topology net = rng.below(2) == 0 ? testing::random_directed_topology(rng, size, true)
                                           : testing::random_topology(rng, size, rng.below(2) == 0);
    const Problem problem = counted_problem(net, mixed_counts(net.num_endpoints(), 9, rng.next()));
    const std::vector<Bound> bounds = bounds_of(*bound_catalog().find("counted_levels"), problem);
    if (bounds.empty()) continue;
    const Bound& bound = bounds.front();
    ASSERT_TRUE(bound.evidence.has_value());
    EXPECT_GE(proved_by(problem, *bound.evidence).ceil(), bound.value.ceil()) << bound.witness;
  }
}

}  // namespace counted_levels_test
}  // namespace quadrille
