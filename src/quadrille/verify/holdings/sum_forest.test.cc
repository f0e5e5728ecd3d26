#include "quadrille/verify/holdings/sum_forest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace sum_forest_test {

using Moves = std::vector<SumForest::Move>;
using Cells = std::vector<SumForest::Cell>;

class Forest : public ::testing::Test {
 protected:
  Topology net_ = parse_topology("complete(5)");
  Problem problem_ = standard_problem(net_, CollectiveKind::kAllreduce);
  SumForest forest_{problem_};
  Cells cells_{5};

  bool take(const Moves& moves) { return forest_.take(cells_, moves); }
  // Whose contributions each node has, a bit a rank; none where nothing has come.
  std::vector<uint64_t> sets() const {
    std::vector<uint64_t> out(5, 0);
    forest_.write_sets(cells_, out.data(), 1);
    return out;
  }
};

SumForest::Move add(uint32_t from, uint32_t to) { return {NodeId{from}, NodeId{to}, false}; }
SumForest::Move copy(uint32_t from, uint32_t to) { return {NodeId{from}, NodeId{to}, true}; }

TEST_F(Forest, KnowsWhoseContributionsAreWhere) {
  ASSERT_TRUE(take({add(4, 3), add(2, 1)}));
  ASSERT_TRUE(take({add(3, 1)}));
  EXPECT_EQ(sets(), (std::vector<uint64_t>{0, 0b11110, 0, 0b11000, 0}));
  EXPECT_FALSE(forest_.is_whole(cells_, NodeId{1}));
  ASSERT_TRUE(take({add(1, 0)}));
  EXPECT_TRUE(forest_.is_whole(cells_, NodeId{0}));
  ASSERT_TRUE(take({copy(0, 3), copy(0, 2)}));
  EXPECT_FALSE(take({copy(3, 4), copy(2, 4)})) << "two copies for one node in a step";
  ASSERT_TRUE(take({copy(3, 4), copy(2, 1)}));
  EXPECT_EQ(sets(), (std::vector<uint64_t>{31, 31, 31, 31, 31}));
}

TEST_F(Forest, IsOneWhereSeveralSumsComeToANodeAtOnce) {
  EXPECT_FALSE(take({add(4, 3), add(3, 2)})) << "3 would have sent before 4's came";
  ASSERT_TRUE(take({add(4, 3), add(2, 1)}));
  ASSERT_TRUE(take({add(3, 0), add(1, 0)}));
  EXPECT_TRUE(forest_.is_whole(cells_, NodeId{0}));
}

TEST_F(Forest, LeavesEverythingAsItWasWhereItIsNone) {
  ASSERT_TRUE(take({add(4, 3)}));
  const std::vector<uint64_t> before = sets();
  EXPECT_FALSE(take({add(2, 1), add(2, 0)})) << "sent twice in a step";
  EXPECT_FALSE(take({add(2, 1), add(1, 2)})) << "an exchange";
  EXPECT_FALSE(take({add(2, 1), add(4, 0)})) << "sent in the step before";
  EXPECT_FALSE(take({add(2, 1), add(0, 4)})) << "comes after it was sent";
  EXPECT_FALSE(take({add(2, 1), copy(3, 0)})) << "a copy of a part";
  EXPECT_EQ(sets(), before);
  EXPECT_TRUE(take({add(2, 1), add(3, 0)})) << "nothing of what was refused is remembered";
}

TEST_F(Forest, IsLeftByACopyForWhoHasTheWhole) {
  ASSERT_TRUE(take({add(1, 0), add(2, 0), add(3, 0), add(4, 0)}));
  EXPECT_FALSE(take({copy(0, 1), copy(0, 1)})) << "two for one node";
  EXPECT_FALSE(take({copy(0, 1), add(2, 1)})) << "and a sum besides";
  ASSERT_TRUE(take({copy(0, 1)}));
  EXPECT_FALSE(take({copy(0, 2), copy(0, 1)}));
  EXPECT_EQ(sets(), (std::vector<uint64_t>{31, 31, 0, 0, 0})) << "nothing of what was refused has come";
}

// Against sets that are kept as such: random deliveries, of which the forest takes those that it may.
RC_GTEST_PROP(SumForest, HasTheSetsThatWereSent, ()) {
  const auto n = *rc::gen::inRange<uint32_t>(1, 9);
  const Topology net = parse_topology("complete(" + std::to_string(n) + ")");
  const Problem problem = standard_problem(net, CollectiveKind::kAllreduce);
  const SumForest forest(problem);
  Cells cells(n);
  std::vector<std::set<uint32_t>> truth(n);
  for (uint32_t v = 0; v < n; ++v) truth[v] = {v};
  for (uint32_t step = 0; step < 30; ++step) {
    Moves moves;
    const auto count = *rc::gen::inRange<uint32_t>(0, 4);
    for (uint32_t i = 0; i < count && n > 1; ++i) {
      const auto from = *rc::gen::inRange<uint32_t>(0, n);
      const auto to = *rc::gen::inRange<uint32_t>(0, n);
      if (from != to) moves.push_back({NodeId{from}, NodeId{to}, truth[from].size() == n});
    }
    if (!forest.take(cells, moves)) continue;
    const auto before = truth;
    for (const SumForest::Move& move : moves) {
      auto& set = truth[index(move.to)];
      for (const uint32_t rank : before[index(move.from)]) {
        const bool is_new = set.insert(rank).second;
        RC_ASSERT(is_new || move.copy);
      }
    }
    std::vector<uint64_t> sets(n, 0);
    forest.write_sets(cells, sets.data(), 1);
    for (uint32_t v = 0; v < n; ++v) {
      uint64_t expected = 0;
      for (const uint32_t rank : truth[v]) expected |= uint64_t{1} << rank;
      RC_ASSERT(forest.is_whole(cells, NodeId{v}) == (truth[v].size() == n));
      RC_ASSERT(sets[v] == (cells[v].gained > 0 ? expected : 0));
    }
  }
}

}  // namespace sum_forest_test
}  // namespace quadrille
