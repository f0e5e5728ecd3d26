#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace bounds {
extern const BoundCard groups_of_leaves;
extern const BoundCard useful_sends;
}  // namespace bounds

namespace useful_sends_test {

Problem in_so_many(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces) {
  const Topology topology = parse_topology(spec);
  const bool is_rooted = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
  return standard_problem(topology, kind, ports(count), is_rooted ? topology.endpoints().back() : kNoNode,
                          pieces);
}

// What each of many pieces takes, all of any number take at least; and where they are many, hardly more.
TEST(UsefulSends, OfEachPieceAreNoMoreThanOfAll) {
  for (const char* spec :
       {"dragonfly(2,4,2)", "clos(4)", "mesh(3,5)", "tree(2^3)", "line(5)", "xgft(2,3,3;1,2,2)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce,
                                      CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
      for (const uint32_t count : {1U, 2U, 0U}) {
        const std::optional<Rational> each =
            rounds_of_each(bounds::useful_sends, in_so_many(spec, kind, count, 1));
        ASSERT_TRUE(each.has_value()) << spec;
        double last = 0;
        for (const uint32_t pieces : {1U, 2U, 3U, 16U, 4096U}) {
          const std::optional<Bound> all =
              bounds::useful_sends.evaluate(in_so_many(spec, kind, count, pieces));
          if (!all) continue;
          EXPECT_GE(all->value.to_double(), pieces * each->to_double() - 1e-9) << spec << ' ' << pieces;
          last = all->value.to_double() / pieces;
        }
        EXPECT_LE(last, each->to_double() * 1.02 + 0.01) << spec << ' ' << count;
      }
    }
  }
}

TEST(UsefulSends, SayWhatTimeLongMessagesTake) {
  constexpr uint64_t kLong = uint64_t{1} << 26U;
  // Without the one that says as much here.
  const auto time = [](const Problem& problem) {
    std::vector<Bound> bounds = all_bounds(problem);
    std::erase_if(bounds, [](const Bound& bound) { return bound.name == "middle_nodes"; });
    return least_time(problem, kLong, bounds);
  };
  const TimeBound gathered = time(in_so_many("dragonfly(2,4,2)", CollectiveKind::kAllgather, 1, 1));
  EXPECT_EQ(gathered.rounds_by, "useful_sends");
  EXPECT_GT(gathered.rounds.to_double(), 200.0);  // 213 steps are optimal for one piece
  // Whatever the number of pieces the problem is given in.
  const TimeBound in_pieces = time(in_so_many("dragonfly(2,4,2)", CollectiveKind::kAllgather, 1, 3));
  EXPECT_EQ(in_pieces.rounds.to_double(), gathered.rounds.to_double());
  // What switches of one port each receive for their hosts, and from each other.
  const TimeBound summed = time(in_so_many("dragonfly(2,4,2)", CollectiveKind::kAllreduce, 1, 1));
  EXPECT_EQ(summed.rounds_by, "groups_of_leaves");
}

}  // namespace useful_sends_test
}  // namespace quadrille
