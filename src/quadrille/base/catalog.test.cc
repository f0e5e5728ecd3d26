#include "quadrille/base/catalog.h"

#include <gtest/gtest.h>

#include <array>

namespace quadrille {
namespace base_catalog_test {

struct Plain {
  std::string_view name;
};
struct Aliased {
  std::string_view name;
  std::span<const std::string_view> aliases;
};

constexpr Plain kAnt{"ant"};
constexpr Plain kBee{"bee"};
constexpr std::array kPlain = {&kAnt, &kBee};

constexpr std::array<std::string_view, 2> kWords = {"emmet", "formica"};
constexpr Aliased kAliasedAnt{"ant", kWords};
constexpr Aliased kAliasedBee{"bee", {}};
constexpr std::array kAliased = {&kAliasedAnt, &kAliasedBee};

TEST(Catalog, FindsCardsByNameAndNothingElse) {
  constexpr Catalog<Plain> catalog(kPlain);
  EXPECT_EQ(catalog.find("bee"), &kBee);
  EXPECT_EQ(catalog.find("be"), nullptr);
  EXPECT_EQ(catalog.find(""), nullptr);
  EXPECT_EQ(catalog.size(), 2U);
  EXPECT_EQ(*catalog.begin(), &kAnt);
}

TEST(Catalog, FindsCardsByAliasWhereCardsHaveAliases) {
  constexpr Catalog<Aliased> catalog(kAliased);
  EXPECT_EQ(catalog.find("formica"), &kAliasedAnt);
  EXPECT_EQ(catalog.find("bee"), &kAliasedBee);
  EXPECT_EQ(catalog.names(), (std::vector<std::string_view>{"ant", "bee"}));
  EXPECT_EQ(catalog.words(), (std::vector<std::string_view>{"ant", "bee", "emmet", "formica"}));
}

TEST(Catalog, OfNothingIsEmpty) {
  constexpr Catalog<Plain> catalog({});
  EXPECT_EQ(catalog.size(), 0U);
  EXPECT_EQ(catalog.find("ant"), nullptr);
  EXPECT_TRUE(catalog.names().empty());
}

}  // namespace base_catalog_test
}  // namespace quadrille
