#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/broadcasts/broadcast_optimum.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace late_entries_test {

// Of a broadcast from the first endpoint; 0 where nothing is said. A reduction's is the same.
int64_t bound(const std::string& spec, uint32_t count) {
  const Topology net = parse_topology(spec);
  const auto of = [&](CollectiveKind kind) {
    const std::optional<Bound> found =
        bound_catalog()
            .find("late_entries")
            ->evaluate(standard_problem(net, kind, ports(count), net.endpoint(Rank{0})));
    return found ? found->value.ceil() : 0;
  };
  EXPECT_EQ(of(CollectiveKind::kBroadcast), of(CollectiveKind::kReduce)) << spec;
  return of(CollectiveKind::kBroadcast);
}

TEST(LateEntries, OfACrowdAtTheEndOfALine) {
  // The first of eight hears at the end of step 4, with one port they take three steps more, with two or three two.
  std::string links = "a b, b c, c d, d e1";
  for (int i = 1; i <= 8; ++i)
    for (int j = i + 1; j <= 8; ++j) links += fmt::format(", e{} e{}", i, j);
  const std::string spec = "edges(\"" + links + "\")";
  EXPECT_EQ(bound(spec, 1), 7);
  EXPECT_EQ(bound(spec, 2), 6);
  EXPECT_EQ(bound(spec, 3), 6);
  EXPECT_EQ(bound(spec, 7), 0);  // one, as distance says
}

TEST(LateEntries, SayNothingWhereDistanceSaysAsMuch) {
  for (const char* spec : {"complete(2)", "complete(9)", "line(7)"}) EXPECT_EQ(bound(spec, 1), 0) << spec;
}

TEST(LateEntries, AreNoMoreThanTheOptimum) { EXPECT_GT(testing::hold_against_optima("late_entries"), 10U); }

}  // namespace late_entries_test
}  // namespace quadrille
