#include <gtest/gtest.h>

#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace counted_flow_test {

std::vector<Bound> bounds_on(const Problem& problem) {
  return bounds_of(*bound_catalog().find("counted_flow"), problem);
}

Rational value_of(std::string_view spec, std::vector<Counts::Entry> entries) {
  const Topology net = parse_topology(spec);
  const std::vector<Bound> bounds =
      bounds_on(counted_problem(net, Counts(net.num_endpoints(), std::move(entries)), {}));
  return bounds.empty() ? Rational(0) : bounds.front().value;
}

TEST(CountedFlow, OfNeighboursIsTheLinkAndWaysRoundIt) {
  EXPECT_EQ(value_of("ring(4)", {{Rank{1}, Rank{2}, 2}}), Rational(2));
  EXPECT_EQ(value_of("ring(4)", {{Rank{1}, Rank{2}, 5}}), Rational(4));
  EXPECT_EQ(value_of("complete(4)", {{Rank{1}, Rank{2}, 5}}), Rational(3));
  EXPECT_EQ(value_of("ring(4)", {{Rank{1}, Rank{2}, 1}}), Rational(0));
}

TEST(CountedFlow, OfSeveralPairsIsThatOfTheSlowest) {
  EXPECT_EQ(value_of("line(6)", {{Rank{0}, Rank{1}, 9}, {Rank{0}, Rank{5}, 6}}), Rational(10));
}

TEST(CountedFlow, IsProvedByACutThatMoves) {
  Rng rng(7);
  for (int round = 0; round < 60; ++round) {
    const auto size = 2 + static_cast<uint32_t>(rng.below(9));
    const Topology net = rng.below(2) == 0 ? testing::random_directed_topology(rng, size, true)
                                           : testing::random_topology(rng, size, rng.below(2) == 0);
    const Problem problem = counted_problem(net, mixed_counts(net.num_endpoints(), 9, rng.next()), {});
    const std::vector<Bound> bounds = bounds_on(problem);
    if (bounds.empty()) continue;
    ASSERT_TRUE(bounds.front().evidence.has_value());
    EXPECT_GE(proved_by(problem, *bounds.front().evidence).ceil(), bounds.front().value.ceil())
        << bounds.front().witness;
  }
}

}  // namespace counted_flow_test
}  // namespace quadrille
