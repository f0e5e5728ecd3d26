#include "quadrille/algorithms/fat_trees/fat_tree_windows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace fat_tree_windows_test {

// Counts what every branch of a subtree carries in every window, from nothing but the numbers of the leaves.
void expect_windows_fit(const FatTree& tree, uint32_t level) {
  const LevelExchange exchange = level_exchange(tree, level);
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> pairs;
  std::map<std::tuple<bool, uint32_t, uint32_t>, uint32_t> load;  // up or down, level, branch
  uint64_t sent = 0;
  uint64_t step = 0;
  uint64_t in_step = 0;
  exchange.for_each_message([&](uint32_t sister, uint32_t from, uint32_t to) {
    if (sent == exchange.sent(step)) {
      ++step;
      load.clear();
      in_step = 0;
    }
    EXPECT_TRUE(pairs.insert({sister, from, to}).second);
    for (uint32_t j = 1; j <= level; ++j) {
      EXPECT_LE((++load[{true, j, from / tree.below(j - 1)}]), tree.capacity(j));
      EXPECT_LE((++load[{false, j, to / tree.below(j - 1)}]), tree.capacity(j));
    }
    EXPECT_LE(++in_step, exchange.window);
    ++sent;
  });
  EXPECT_EQ(pairs.size(), exchange.messages());
  EXPECT_EQ(step + 1, exchange.steps());
  EXPECT_EQ(exchange.sent(step), exchange.messages());
  EXPECT_EQ(exchange.steps(), (exchange.messages() + exchange.window - 1) / exchange.window);
}

void expect_windows_fit(std::string_view spec) {
  SCOPED_TRACE(spec);
  const FatTree tree(parse_topology(spec));
  for (uint32_t l = 1; l <= tree.height(); ++l) expect_windows_fit(tree, l);
}

TEST(FatTreeWindows, FitTheBranchesForConstantAndExponentialCapacities) {
  for (const auto* spec : {"fat_tree(2^4)", "fat_tree(3^3)", "fat_tree(2^4;exponential)",
                           "fat_tree(3^2;exponential)", "fat_tree(4,2,3;exponential)"}) {
    expect_windows_fit(spec);
  }
}

TEST(FatTreeWindows, FitWhereTheyDoNotDivideTheShifts) {
  for (const auto* spec : {"fat_tree(2^3;1,2,3)", "fat_tree(2^4;1,2,3,4)", "fat_tree(3^3;1,2,5)",
                           "fat_tree(4,3;1,3)", "fat_tree(2^3;1,4,4)", "fat_tree(3,2,2;1,2,5)"}) {
    expect_windows_fit(spec);
  }
}

TEST(FatTreeWindows, AreOfEqualLengthsWhereFullOnesWouldNotFit) {
  const FatTree tree(parse_topology("fat_tree(4,2;2,7)"));
  EXPECT_EQ(level_exchange(tree, 2).windows, Windows::kEven);
  expect_windows_fit("fat_tree(4,2;2,7)");
}

TEST(FatTreeWindows, AreFoundByAFlowWhereNoneOfTheOrderFits) {
  for (const auto* spec : {"fat_tree(2,5,2;6,7,34)", "fat_tree(5,2,4;4,19,46)"}) {
    const FatTree tree(parse_topology(spec));
    EXPECT_EQ(level_exchange(tree, 3).windows, Windows::kFlow) << spec;
    EXPECT_EQ(special_windows(level_exchanges(tree)),
              "level 3: no window fits its capacities and each step is found by a flow");
    expect_windows_fit(spec);
  }
  EXPECT_EQ(special_windows(level_exchanges(FatTree(parse_topology("fat_tree(4,2;2,7)")))),
            "level 2: windows of equal lengths");
  EXPECT_EQ(special_windows(level_exchanges(FatTree(parse_topology("fat_tree(2^4;1,2,3,4)")))), "");
}

TEST(FatTreeWindows, FitAnyArityAndCapacityThatChanceFinds) {
  Rng rng(4);
  for (int i = 0; i < 150; ++i) {
    std::string arities;
    std::string capacities;
    uint64_t leaves = 1;
    uint64_t capacity = 1 + rng.below(4);
    for (uint64_t k = 2 + rng.below(3); leaves * k <= 36; k = 2 + rng.below(3)) {
      leaves *= k;
      capacity += rng.below(rng.below(2) == 0 ? 4 : 20);
      arities += fmt::format("{}{}", arities.empty() ? "" : ",", k);
      capacities += fmt::format("{}{}", capacities.empty() ? "" : ",", capacity);
    }
    expect_windows_fit(fmt::format("fat_tree({};{})", arities, capacities));
  }
}

}  // namespace fat_tree_windows_test
}  // namespace quadrille
