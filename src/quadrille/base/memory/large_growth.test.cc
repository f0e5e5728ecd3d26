#include "quadrille/base/memory/large_growth.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace quadrille {
namespace large_growth_test {

TEST(LargeGrowth, KeepsWhatIsThere) {
  std::vector<uint32_t> list;
  size_t moved = 0;
  for (uint32_t next = 0; next < 3'000'000;) {
    const std::vector<uint32_t> some = {next, next + 1, next + 2};
    const uint32_t* const before = list.data();
    make_room(list, some.size());
    list.insert(list.end(), some.begin(), some.end());
    moved += list.data() != before && list.size() * sizeof(uint32_t) > size_t{4} << 20U ? 1 : 0;
    next += 3;
  }
  for (uint32_t i = 0; i < list.size(); ++i) ASSERT_EQ(list[i], i);
  EXPECT_LE(moved, 1U) << "most that become large have their room at once";
}

}  // namespace large_growth_test
}  // namespace quadrille
