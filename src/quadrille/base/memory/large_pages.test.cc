#include "quadrille/base/memory/large_pages.h"

#include <gtest/gtest.h>

#include <vector>

namespace quadrille {
namespace large_pages_test {

TEST(LargePages, ChangeNothingThatIsThere) {
  std::vector<int> values(1 << 20, 7);
  prefer_large_pages(values.data(), values.size() * sizeof(int));
  prefer_large_pages(values.data() + 1, 3);
  prefer_large_pages(values.data(), 0);
  EXPECT_EQ(values, std::vector<int>(1 << 20, 7));
}

}  // namespace large_pages_test
}  // namespace quadrille
