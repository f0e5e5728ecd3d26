#include "quadrille/algorithms/algorithm.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quadrille {
namespace algorithms_catalog_test {

TEST(AlgorithmCatalog, IsSortedAndEveryCardIsComplete) {
  const auto cards = algorithm_catalog();
  EXPECT_TRUE(std::is_sorted(cards.begin(), cards.end(),
                             [](const Algorithm* a, const Algorithm* b) { return a->name < b->name; }));
  for (const Algorithm* card : cards) {
    EXPECT_EQ(algorithm_catalog().find(card->name), card);
    EXPECT_TRUE(card->name.starts_with(name_of(card->collective))) << card->name;
    EXPECT_FALSE(card->summary.empty()) << card->name;
    EXPECT_FALSE(card->source.empty()) << card->name;
    EXPECT_FALSE(card->remarks.empty()) << card->name;
    EXPECT_TRUE(card->applies && card->prepare) << card->name;
  }
  EXPECT_EQ(algorithm_catalog().find("alltoall"), nullptr);
}

}  // namespace algorithms_catalog_test
}  // namespace quadrille
