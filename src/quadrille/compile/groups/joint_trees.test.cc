#include "quadrille/compile/groups/joint_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/together.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace joint_trees_test {
namespace {

// Every third rank, from each of the first three on.
std::vector<Problem> thirds(const Topology& net, CollectiveKind kind, const Model& model, uint32_t pieces) {
  std::vector<Problem> out;
  for (uint32_t first = 0; first < 3; ++first) {
    std::vector<Rank> ranks;
    for (uint32_t r = first; r < net.num_endpoints(); r += 3) ranks.push_back(Rank{r});
    const Topology part = among(net, ranks, Relay::kYes, "third " + std::to_string(first));
    out.emplace_back(part, Collective::standard(kind, part.num_endpoints(), Rank{0}, pieces), model);
  }
  return out;
}

TEST(JointTrees, PlansAreGoodTogetherAndNoneIsBelowTheBound) {
  for (const char* spec : {"torus(3,4)", "mesh(3,5)", "random_regular(12,3;1)"}) {
    const Topology net = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Model& model : {Model{}, Model{.send = kOnePort, .receive = kOnePort}}) {
        const std::vector<Problem> problems = thirds(net, kind, model, 2);
        JointTrees trees(net, problems);
        const auto least = static_cast<uint64_t>(trees.bound().value.ceil());
        const std::optional<std::vector<Plan>> plans = trees.plans(SIZE_MAX, least);
        const std::string what = std::string(spec) + ", " + std::string(name_of(kind));
        ASSERT_TRUE(plans) << what;
        std::vector<Schedule> schedules;
        size_t longest = 0;
        for (size_t g = 0; g < problems.size(); ++g) {
          EXPECT_TRUE(verify(problems[g], (*plans)[g]).verdict.passed()) << what << ", group " << g;
          longest = std::max(longest, (*plans)[g].num_steps());
          if (std::optional<Schedule> good = verify(problems[g], (*plans)[g]).schedule)
            schedules.push_back(*std::move(good));
        }
        ASSERT_EQ(schedules.size(), problems.size());
        EXPECT_TRUE(verify_together(std::vector<const Schedule*>{&schedules[0], &schedules[1], &schedules[2]})
                        .passed())
            << what;
        EXPECT_GE(longest, least) << what;
        EXPECT_GT(least, 0U) << what;
        EXPECT_FALSE(trees.plans(least, least)) << what;
      }
    }
  }
}

TEST(JointTrees, SayNothingWhereLinksCarryOneWayAtATime) {
  const Topology net = parse_topology("mesh(3,4)");
  const std::vector<Problem> problems = thirds(net, CollectiveKind::kAllgather, {.duplex = Duplex::kHalf}, 1);
  JointTrees trees(net, problems);
  EXPECT_EQ(trees.bound().value.ceil(), 0);
  EXPECT_FALSE(trees.plans(SIZE_MAX, 0));
}

}  // namespace
}  // namespace joint_trees_test
}  // namespace quadrille
