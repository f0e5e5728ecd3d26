#include "quadrille/base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace quadrille {
namespace text_test {

TEST(Text, TheNearestNameIsWithinAThirdOfWhatWasGiven) {
  constexpr std::array<std::string_view, 3> kNames = {"torus", "ring", "hypercube"};
  constexpr std::string_view kMembers[] = {"steps-1", "steps-9-near", "steps-9-near-by"};
  EXPECT_EQ(nearest_name("steps-9", kMembers), "steps-9-near");  // it goes on where the given one ends
  EXPECT_EQ(nearest_name("tours", kNames), "torus");             // neighbours exchanged: one mistake
  EXPECT_EQ(nearest_name("tuors", kNames), "");                  // two
  EXPECT_EQ(nearest_name("tors", kNames), "torus");
  EXPECT_EQ(nearest_name("hypercubes", kNames), "hypercube");
  EXPECT_EQ(nearest_name("hpyercube", kNames), "hypercube");
  EXPECT_EQ(nearest_name("zzz", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("ring", {}), "");
}

TEST(Text, BlanksAtTheEndsAreTrimmed) {
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" \t\r\n"), "");
  EXPECT_EQ(trimmed("\t a b \r\n"), "a b");
  EXPECT_EQ(trimmed("ab"), "ab");
  const std::string_view blank = "  ";
  EXPECT_EQ(trimmed(blank).data(), blank.data() + 2) << "a caret can point to where nothing is";
}

TEST(Text, WordsStandBetweenBlanks) {
  EXPECT_EQ(words_of(""), std::vector<std::string_view>{});
  EXPECT_EQ(words_of(" \t"), std::vector<std::string_view>{});
  EXPECT_EQ(words_of("a"), std::vector<std::string_view>{"a"});
  EXPECT_EQ(words_of(" a\t\tbc\r\n"), (std::vector<std::string_view>{"a", "bc"}));
}

TEST(Text, ItemsAreJoined) {
  EXPECT_EQ(join(std::array<std::string_view, 3>{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}, "; "), "a; b");
  EXPECT_EQ(join(std::vector<std::string>{}), "");
}

TEST(Text, ThousandsAreSetApart) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(16'777'216), "16,777,216");
  EXPECT_EQ(with_thousands(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(Text, NounsAreCounted) {
  EXPECT_EQ(plural(1, "step"), "1 step");
  EXPECT_EQ(plural(0, "step"), "0 steps");
  EXPECT_EQ(plural(16'777'216, "block"), "16,777,216 blocks");
}

}  // namespace text_test
}  // namespace quadrille
