#include "quadrille/topology/cayley/group.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/cayley/direct_product_group.h"
#include "quadrille/topology/cayley/permutation_group.h"
#include "quadrille/topology/cayley/sheared_group.h"
#include "quadrille/topology/cayley/shuffle_group.h"

namespace quadrille {
namespace group_test {

// One of every class, the trivial ones among them.
const std::vector<std::shared_ptr<const Group>>& all_groups() {
  static const std::vector<std::shared_ptr<const Group>> groups{
      abelian_group({1}),
      abelian_group({7}),
      abelian_group({4, 1, 6}),
      abelian_group({2, 3, 5}),
      symmetric_group(1),
      symmetric_group(4),
      symmetric_group(6),
      generated_group(4, {{1, 2, 0, 3}, {0, 2, 3, 1}}),  // A_4
      generated_group(4, {{1, 2, 3, 0}, {3, 2, 1, 0}}),  // of the square
      generated_group(7, {{1, 2, 3, 4, 5, 6, 0}}),
      generated_group(3, {{1, 0, 2}, {0, 2, 1}}),
      shuffle_group(1),
      shuffle_group(2),
      shuffle_group(5),
      sheared_group({3, 5}, {2}),
      sheared_group({4, 2, 6}, {4, 3}),
      sheared_group({1, 7}, {3}),
      direct_product({symmetric_group(3), abelian_group({4})}),
      direct_product({shuffle_group(3), symmetric_group(3), abelian_group({2})})};
  return groups;
}

RC_GTEST_PROP(Group, ObeysTheAxioms, ()) {
  const auto& group = *rc::gen::elementOf(all_groups());
  const auto element = rc::gen::inRange<uint32_t>(0, group->order());
  const uint32_t a = *element;
  const uint32_t b = *element;
  const uint32_t c = *element;
  RC_ASSERT(group->multiply(a, b) < group->order());
  RC_ASSERT(group->multiply(group->multiply(a, b), c) == group->multiply(a, group->multiply(b, c)));
  RC_ASSERT(group->multiply(a, 0) == a);
  RC_ASSERT(group->multiply(0, a) == a);
  RC_ASSERT(group->multiply(a, group->inverse(a)) == 0U);
  RC_ASSERT(group->multiply(group->inverse(a), a) == 0U);
  RC_ASSERT(!group->is_abelian() || group->multiply(a, b) == group->multiply(b, a));
}

TEST(Group, ARightTranslationIsTheSameAsMultiplying) {
  for (const auto& group : all_groups()) {
    std::vector<uint32_t> out(group->order());
    for (uint32_t a = 0; a < group->order(); a += 1 + group->order() / 37) {
      group->right_translation(a, out);
      for (uint32_t x = 0; x < group->order(); ++x) {
        ASSERT_EQ(out[x], group->multiply(x, a)) << group->name() << ' ' << x << ' ' << a;
      }
    }
  }
}

TEST(Group, KnowsWhetherItIsAbelian) {
  for (const auto& group : all_groups()) {
    bool commutes = true;
    for (uint32_t a = 0; a < group->order(); ++a) {
      for (uint32_t b = 0; b < a && commutes; ++b) commutes = group->multiply(a, b) == group->multiply(b, a);
    }
    EXPECT_EQ(group->is_abelian(), commutes) << group->name();
  }
}

TEST(Group, NamesItsElementsApart) {
  for (const auto& group : all_groups()) {
    std::set<std::string> names;
    for (uint32_t a = 0; a < group->order(); ++a) names.insert(group->element_text(a));
    EXPECT_EQ(names.size(), group->order()) << group->name();
  }
}

TEST(PermutationGroup, NumbersPermutationsInLexicographicOrder) {
  for (const auto& group : {symmetric_group(5), generated_group(4, {{1, 2, 3, 0}, {3, 2, 1, 0}})}) {
    for (uint32_t a = 0; a < group->order(); ++a) {
      EXPECT_EQ(group->element(group->permutation(a)), std::optional<uint32_t>(a));
      if (a > 0) {
        EXPECT_LT(group->permutation(a - 1), group->permutation(a));
      }
    }
  }
  EXPECT_EQ(symmetric_group(4)->element_text(23), "3210");
  EXPECT_EQ(symmetric_group(4)->permutation(0), identity_permutation(4));
}

TEST(PermutationGroup, ExchangesPlacesOnTheRight) {
  const auto group = symmetric_group(4);
  const uint32_t x = *group->element({2, 0, 1, 3});
  const uint32_t swap = *group->element({3, 1, 2, 0});
  EXPECT_EQ(group->element_text(group->multiply(x, swap)), "3012");
}

TEST(PermutationGroup, RecognisesItsGenerators) {
  EXPECT_EQ(generated_group(3, {{1, 0, 2}, {0, 2, 1}})->name(), "S_3");
  EXPECT_EQ(generated_group(4, {{1, 2, 0, 3}, {0, 2, 3, 1}})->name(), "A_4");
  EXPECT_EQ(generated_group(4, {{1, 2, 3, 0}, {3, 2, 1, 0}})->name(), "8 permutations of 4 points");
  EXPECT_FALSE(generated_group(4, {{1, 2, 3, 0}})->element({1, 0, 2, 3}).has_value());
  EXPECT_EQ(cycle_text({1, 0, 3, 4, 2}), "(0 1)(2 3 4)");
  EXPECT_EQ(cycle_text({0, 1}), "()");
}

}  // namespace group_test
}  // namespace quadrille
