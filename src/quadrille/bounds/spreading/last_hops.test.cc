// What endpoints receive over the last hop, where few nodes lead to many.
#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace bounds {
extern const BoundCard last_hops;
}  // namespace bounds

namespace last_hops_test {

Problem spreading_on(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, ports(count), NodeId{0}, pieces);
}

// All that leads to four of the six are the two others, and these four lack five pieces each.
TEST(LastHops, CountWhatFewCanSend) {
  const std::string_view bipartite = "edges(\"a c, a d, a e, a f, b c, b d, b e, b f\")";
  for (const auto kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    const Problem problem = spreading_on(bipartite, kind, 1);
    const std::optional<Bound> bound = bounds::last_hops.evaluate(problem);
    ASSERT_TRUE(bound.has_value());
    EXPECT_EQ(bound->value, Rational::of(4 * 5, 2));
    ASSERT_TRUE(bound->evidence.has_value());
    EXPECT_EQ(proved_by(problem, *bound->evidence), bound->value);
  }
  EXPECT_EQ(bounds::last_hops.evaluate(spreading_on(bipartite, CollectiveKind::kAllgather, 2))->value,
            Rational::of(4 * 5, 4));
  // From a: the others of the four are served by a and b.
  EXPECT_EQ(bounds::last_hops.evaluate(spreading_on(bipartite, CollectiveKind::kBroadcast, 1, 3))->value,
            Rational::of(4 * 3, 2));
}

TEST(LastHops, AreProvedByTheirWeights) {
  for (const std::string_view spec :
       {"mesh(3,4)", "star(3)", "jellyfish(8,3,2;1)", "fat_tree(2,3)", "random_regular(12,3;1)", "kautz(2,3)",
        "edges(\"a b, b c, b d, d e\")"}) {
    for (const auto kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter,
                            CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
      for (const uint32_t count : {1U, 2U}) {
        const Problem problem = spreading_on(spec, kind, count, 5);
        const std::optional<Bound> bound = bounds::last_hops.evaluate(problem);
        if (!bound) continue;
        // What comes into parts besides, over more than last hops, the judge counts, too.
        EXPECT_LE(bound->value, proved_by(problem, *bound->evidence)) << spec << ", ports " << count;
      }
    }
  }
}

TEST(LastHops, SayNothingWhereAllPortsAreFree) {
  EXPECT_FALSE(bounds::last_hops.evaluate(spreading_on("mesh(3,4)", CollectiveKind::kAllgather, 0)));
  EXPECT_FALSE(bounds::last_hops.evaluate(spreading_on("mesh(3,4)", CollectiveKind::kAlltoall, 1)));
}

}  // namespace last_hops_test
}  // namespace quadrille
