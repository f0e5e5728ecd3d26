#include "quadrille/base/threads/both_at_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace quadrille::both_at_once_test {

// Each waits for the other, so that one after the other would not end.
TEST(BothAtOnce, AreDoneByTwoThreads) {
  std::atomic<int> here{0};
  const auto meet = [&] {
    ++here;
    while (here.load() < 2) std::this_thread::yield();
  };
  std::thread::id first;
  std::thread::id second;
  both_at_once(
      [&] {
        meet();
        first = std::this_thread::get_id();
      },
      [&] {
        meet();
        second = std::this_thread::get_id();
      });
  EXPECT_EQ(first, std::this_thread::get_id());
  EXPECT_NE(first, second);
}

TEST(BothAtOnce, EndBeforeOneOfThemThrows) {
  std::atomic<bool> is_done{false};
  EXPECT_THROW(both_at_once([] { throw std::runtime_error("first"); }, [&] { is_done = true; }),
               std::runtime_error);
  EXPECT_TRUE(is_done);
  is_done = false;
  EXPECT_THROW(both_at_once([&] { is_done = true; }, [] { throw std::runtime_error("second"); }),
               std::runtime_error);
  EXPECT_TRUE(is_done);
}

}  // namespace quadrille::both_at_once_test
