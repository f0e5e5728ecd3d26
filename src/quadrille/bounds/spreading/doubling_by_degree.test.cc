// Doubling where nodes have unlike many links: hosts on one link, corners, directed links.
#include <gtest/gtest.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace doubling_by_degree_test {

std::optional<Bound> by_degree(std::string_view spec, CollectiveKind kind, Ports ports = kAllPorts,
                               uint32_t root = 0) {
  const Model model{.send = ports, .receive = ports, .switching = Switching::kWormhole};
  const Topology net = parse_topology(spec);
  const Problem problem = standard_problem(net, kind, model, net.endpoint(Rank{root}));
  std::optional<Bound> bound = bound_catalog().find("doubling_by_degree")->evaluate(problem);
  if (bound) {
    EXPECT_EQ(proved_by(problem, *bound->evidence), bound->value) << spec;
  }
  return bound;
}

TEST(DoublingByDegree, BeginsWithTheLinksOfTheNodeItself) {
  // A corner informs two, and these and the corner 4 + 4 + 2 others: 13 of 16.
  EXPECT_EQ(by_degree("mesh(4,4)", CollectiveKind::kAllgather)->value, Rational(3));
  EXPECT_EQ(by_degree("mesh(4,4)", CollectiveKind::kBroadcast)->value, Rational(3));
  EXPECT_EQ(by_degree("mesh(4,4)", CollectiveKind::kAllgather)->witness,
            "node (0,0) can inform at most 2 others a step, and even if those of most links come first, 3 "
            "steps pass until that makes 16");
  // From the middle: 4, and then 4 + 16.
  EXPECT_EQ(by_degree("mesh(4,4)", CollectiveKind::kBroadcast, kAllPorts, 5), std::nullopt);
  EXPECT_EQ(by_degree("mesh(4,4)", CollectiveKind::kReduce)->value, Rational(3));
}

TEST(DoublingByDegree, IsSilentWhereAllNodesAreAlikeOrPortsMakeThemSo) {
  EXPECT_FALSE(by_degree("torus(4,4)", CollectiveKind::kAllgather).has_value());
  EXPECT_FALSE(by_degree("mesh(4,4)", CollectiveKind::kAllgather, Ports{2}).has_value());
}

}  // namespace doubling_by_degree_test
}  // namespace quadrille
