#include "quadrille/verify/holdings/rank_sets.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {
namespace rank_sets_test {

TEST(RankSets, OfOneRankAreNumberedByIt) {
  RankSets sets(70);
  EXPECT_EQ(sets.size(), 71U) << "the empty one, and one for each rank";
  std::vector<uint64_t> bits{0, 1U << 5U};
  EXPECT_EQ(sets.of(bits), RankSets::of(Rank{69}));
  bits[1] = 0;
  EXPECT_EQ(sets.of(bits), RankSets::kEmpty);
}

TEST(RankSets, EqualUnionsHaveEqualNumbers) {
  RankSets sets(5);
  const auto of = [](uint32_t r) { return RankSets::of(Rank{r}); };
  const RankSets::Union a = sets.join(sets.join(of(0), of(1)).set, of(4));
  const RankSets::Union b = sets.join(of(4), sets.join(of(1), of(0)).set);
  EXPECT_EQ(a.set, b.set);
  EXPECT_FALSE(a.overlap);
  EXPECT_TRUE(sets.join(a.set, of(1)).overlap);
  EXPECT_TRUE(sets.join(a.set, of(1)).overlap) << "remembered, too";
  EXPECT_EQ(sets.join(a.set, of(1)).set, a.set);
  EXPECT_EQ(sets.first_common(a.set, of(1)), Rank{1});
  EXPECT_EQ(sets.first_missing(a.set), Rank{2});
  EXPECT_EQ(sets.join(RankSets::kEmpty, of(2)).set, of(2));
}

TEST(RankSets, OfConsecutiveRanksAreKnown) {
  RankSets sets(200);
  RankSets::Set set = RankSets::kEmpty;
  EXPECT_TRUE(sets.is_interval(set));
  for (uint32_t r = 60; r < 140; ++r) {
    set = sets.join(set, RankSets::of(Rank{r})).set;
    EXPECT_TRUE(sets.is_interval(set)) << r;
  }
  EXPECT_FALSE(sets.is_interval(sets.join(set, RankSets::of(Rank{58})).set));
  EXPECT_FALSE(sets.is_interval(sets.join(set, RankSets::of(Rank{141})).set));
}

TEST(RankSets, AreWhatSetsAre) {
  for (const uint32_t ranks : {1U, 63U, 64U, 65U, 200U}) {
    Rng rng(ranks);
    RankSets sets(ranks);
    std::vector<std::pair<RankSets::Set, std::set<uint32_t>>> known{{RankSets::kEmpty, {}}};
    for (uint32_t r = 0; r < ranks; ++r) known.push_back({RankSets::of(Rank{r}), {r}});
    for (int i = 0; i < 3000; ++i) {
      const auto a = known[rng.below(known.size())];
      const auto b = known[rng.below(known.size())];
      std::set<uint32_t> both = a.second;
      both.insert(b.second.begin(), b.second.end());
      const RankSets::Union made = sets.join(a.first, b.first);
      EXPECT_EQ(made.overlap, both.size() < a.second.size() + b.second.size());
      for (const auto& [set, ranks_of] : known) EXPECT_EQ(set == made.set, ranks_of == both);
      if (known.size() < 400) known.emplace_back(made.set, both);
    }
  }
}

}  // namespace rank_sets_test
}  // namespace quadrille
