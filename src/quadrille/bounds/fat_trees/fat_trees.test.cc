// The bounds of fat trees on hand-made cases and against each other.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace bounds_fat_trees_test {

std::optional<Bound> bound_of(std::string_view name, std::string_view spec, CollectiveKind kind,
                              Ports send = {}, Ports receive = {}) {
  Model model;
  model.send = send;
  model.receive = receive;
  return bound_catalog().find(name)->evaluate(standard_problem(parse_topology(spec), kind, model));
}

int64_t steps(std::string_view name, std::string_view spec, CollectiveKind kind, Ports send = {},
              Ports receive = {}) {
  return bound_of(name, spec, kind, send, receive).value().value.ceil();
}

constexpr CollectiveKind kAll = CollectiveKind::kAlltoall;

TEST(FatTreeBranches, NameTheLevelThatIsNarrowest) {
  // 16 * 48 blocks over one link, and 5 steps before and after.
  const Bound thin = bound_of("fat_tree_branches", "fat_tree(4^3)", kAll).value();
  EXPECT_EQ(thin.value, Rational(16 * 48 + 5));
  EXPECT_EQ(
      thin.witness,
      "768 blocks must go up a branch between levels 2 and 3, which takes 1 a step and is idle in 5 steps "
      "before and after");
  // Level by level with capacities 1, 2, 3: 7 + 1, ceil(12/2) + 3, ceil(16/3) + 5.
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3;1,2,3)", kAll), 11);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^4;1,2,3,4)", kAll), 23);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^4;1,2,4,6)", kAll), 18);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(3^3;1,2,5)", kAll), 39);
}

TEST(FatTreeBranches, HoldForEveryCollectiveThatMovesOrCopies) {
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(3^2)", CollectiveKind::kAllgather), 9);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3)", CollectiveKind::kAllgather), 9);  // n + 1
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3)", CollectiveKind::kScatter), 9);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3;4,4,4)", CollectiveKind::kGather), 6);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3)", CollectiveKind::kBroadcast), 6);
  EXPECT_FALSE(bound_of("fat_tree_branches", "fat_tree(2^3)", CollectiveKind::kReduce));
  EXPECT_FALSE(bound_of("fat_tree_branches", "tree(2^3)", kAll));
}

TEST(FatTreeBranches, CountTheFewerBlocksWithLongerWaysToo) {
  // Not 7 blocks over 2 links and one step before them, but the 4 from the other half and 5 steps.
  const Bound far = bound_of("fat_tree_branches", "fat_tree(2^3;2,4,8)", CollectiveKind::kGather).value();
  EXPECT_EQ(far.value, Rational(7));
  EXPECT_EQ(
      far.witness,
      "4 blocks from level 3 must go down a branch between levels 0 and 1, which takes 2 a step and is idle "
      "in 5 steps before and after");
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^3;2,4,8)", CollectiveKind::kAllgather), 7);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^4;2,4,8,16)", CollectiveKind::kAllgather), 11);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(3^3;2,6,18)", CollectiveKind::kScatter), 15);
}

TEST(FatTreeBranches, CountPortsWhereTheyAreFewerThanTheCapacity) {
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^2;4,4)", kAll, kOnePort), 4 + 3);
  EXPECT_EQ(steps("fat_tree_branches", "fat_tree(2^2;4,4)", kAll, {}, Ports{2}), 2 + 3);
}

TEST(FatTreeLeafTimes, AreTheOptimumForExponentialCapacities) {
  for (uint32_t h = 1; h <= 10; ++h) {
    const int64_t n = int64_t{1} << h;
    EXPECT_EQ(steps("fat_tree_leaf_times", fmt::format("fat_tree(2^{};exponential)", h), kAll),
              n + 2 * h - (h >= 3 ? 3 : 2));
  }
  EXPECT_EQ(steps("fat_tree_leaf_times", "fat_tree(3^4;exponential)", kAll), 81 + 6);
  EXPECT_EQ(steps("fat_tree_leaf_times", "fat_tree(2^4;1,2,4,6)", kAll), 21);
  EXPECT_EQ(steps("fat_tree_leaf_times", "fat_tree(32,8,4;exponential)", kAll), 1024 + 4);
}

TEST(FatTreeLeafTimes, CountSeveralLinksAtALeaf) {
  // 3 messages, 2 a step: S = 1 + 1 + 2; levels 1, 2, 2 take 1 + 3 + 3; (4 + 7 + 4 - 3) / 3 = 4.
  EXPECT_EQ(bound_of("fat_tree_leaf_times", "fat_tree(2^2;2,4)", kAll).value().value, Rational(4));
}

TEST(FatTreeExponential, IsNeverSharperThanLeafTimes) {
  for (const uint32_t k : {2U, 3U, 4U}) {
    for (uint32_t h = 1; h <= (k == 2 ? 10U : 5U); ++h) {
      const std::string spec = fmt::format("fat_tree({}^{};exponential)", k, h);
      EXPECT_LE(steps("fat_tree_exponential", spec, kAll), steps("fat_tree_leaf_times", spec, kAll)) << spec;
    }
  }
  EXPECT_EQ(steps("fat_tree_exponential", "fat_tree(2^4;exponential)", kAll), 16 + 8 - 2 * 2 - 2);
  EXPECT_EQ(steps("fat_tree_exponential", "fat_tree(2^3;exponential)", kAll), 8 + 6 - 3 - 2);
}

TEST(FatTreeRouters, SeeTheRootWhereItHasThreeChildren) {
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(2^2)", kAll, kOnePort), 11);
  const Bound root = bound_of("fat_tree_routers", "fat_tree(3^2)", kAll, kOnePort).value();
  EXPECT_EQ(root.value, Rational(57));
  EXPECT_EQ(root.witness,
            "a router of level 2 must send 54 blocks through 1 port, and 3 steps are lost before and after");
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(3^2)", kAll, {}, kOnePort), 57);
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(3^2)", kAll, Ports{2}), 30);
  EXPECT_FALSE(bound_of("fat_tree_routers", "fat_tree(3^2)", kAll));
}

TEST(FatTreeRouters, BoundCopiesToo) {
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(2^3)", CollectiveKind::kAllgather, kOnePort), 16 + 3 + 1);
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(4)", CollectiveKind::kAllgather, kOnePort), 13);
  EXPECT_EQ(steps("fat_tree_routers", "fat_tree(3^3)", CollectiveKind::kBroadcast, kOnePort), 4 * 3 - 1);
}

}  // namespace bounds_fat_trees_test
}  // namespace quadrille
