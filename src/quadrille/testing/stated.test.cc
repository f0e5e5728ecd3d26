#include "quadrille/testing/stated.test.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace quadrille {

bool planted_at(int line) {
  static const char* const kAsked = std::getenv("QUADRILLE_PLANTED_FALSEHOOD");
  if (kAsked == nullptr) return false;
  static std::set<int> listed;
  if (std::string(kAsked) == "list") {
    if (listed.insert(line).second) std::printf("stated in line %d\n", line);
    return false;
  }
  return std::to_string(line) == kAsked;
}

namespace stated_test {

TEST(Stated, is_the_value_where_no_falsehood_is_planted) {
  EXPECT_EQ(stated(7), 7);
  EXPECT_TRUE(stated(true));
  EXPECT_EQ(stated("a text"), "a text");
}

}  // namespace stated_test
}  // namespace quadrille
