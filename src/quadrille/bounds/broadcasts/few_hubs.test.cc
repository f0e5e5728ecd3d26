#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/broadcasts/broadcast_optimum.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace few_hubs_test {

std::string wheel(int rim) {
  std::string links;
  for (int i = 0; i < rim; ++i)
    links += fmt::format("{}hub r{}, r{} r{}", i == 0 ? "" : ", ", i, i, (i + 1) % rim);
  return "edges(\"" + links + "\")";
}

// Of a broadcast from the first endpoint; 0 where nothing is said. A reduction's is the same.
int64_t bound(const std::string& spec, uint32_t count) {
  const Topology net = parse_topology(spec);
  const auto of = [&](CollectiveKind kind) {
    const std::optional<Bound> found =
        bound_catalog()
            .find("few_hubs")
            ->evaluate(standard_problem(net, kind, ports(count), net.endpoint(Rank{0})));
    return found ? found->value.ceil() : 0;
  };
  EXPECT_EQ(of(CollectiveKind::kBroadcast), of(CollectiveKind::kReduce)) << spec;
  return of(CollectiveKind::kBroadcast);
}

TEST(FewHubs, OfAWheelTellTheRimOneByOne) {
  // 1 + 2 + 4 + .. + 2 (T - 1) nodes of the rim after T steps with one port: 21 and 31.
  EXPECT_EQ(bound(wheel(21), 1), 5);
  EXPECT_EQ(bound(wheel(22), 1), 6);
  EXPECT_EQ(bound(wheel(31), 1), 6);
  // 2 T^2 with two.
  EXPECT_EQ(bound(wheel(32), 2), 4);
  EXPECT_EQ(bound(wheel(33), 2), 5);
}

// Where all have as many links there are no hubs.
TEST(FewHubs, AreNoneWhereAllAreAlike) {
  for (const char* spec : {"torus(4,4)", "complete(9)", "ring(8)", "line(2)"})
    EXPECT_EQ(bound(spec, 1), 0) << spec;
}

TEST(FewHubs, AreNoMoreThanTheOptimum) { EXPECT_GT(testing::hold_against_optima("few_hubs"), 10U); }

}  // namespace few_hubs_test
}  // namespace quadrille
