#include "quadrille/base/memory/kept_heap.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace quadrille {
namespace kept_heap_test {

// What is small, large, and larger than what is set aside, on two threads.
int sum_of_all() {
  keep_heap();
  int sum = 0;
  const auto take = [](int& out) {
    for (const size_t size : {size_t{10}, size_t{1} << 16U, size_t{40} << 20U}) {
      const std::vector<char> taken(size, 1);
      out += taken.back();
    }
  };
  int there = 0;
  std::thread other([&] { take(there); });
  take(sum);
  other.join();
  return sum + there;
}

// In a process of its own, as it is for whole programs.
TEST(KeptHeapDeathTest, ServesWhoeverAsks) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(sum_of_all()), testing::ExitedWithCode(6), "");
}

}  // namespace kept_heap_test
}  // namespace quadrille
