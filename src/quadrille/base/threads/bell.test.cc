#include "quadrille/base/threads/bell.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace quadrille {
namespace bell_test {
namespace {

TEST(Bell, IsNotMissedByWhoLookedBeforeItRang) {
  Bell bell;
  const uint32_t heard = bell.heard();
  bell.ring();
  bell.wait(heard);
  EXPECT_EQ(bell.heard(), heard + 1);
}

TEST(Bell, PassesAWordRoundARingOfThreads) {
  constexpr uint32_t kThreads = 8;
  constexpr uint32_t kRounds = 200;
  std::vector<Bell> bells(kThreads);
  std::atomic<uint32_t> passed{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t round = 0; round < kRounds; ++round) {
        bells[t].wait(round);
        ++passed;
        bells[(t + 1) % kThreads].ring();
      }
    });
  }
  bells[0].ring();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed.load(), kThreads * kRounds);
}

TEST(Bell, WakesEverybody) {
  Bell bell;
  std::atomic<uint32_t> awake{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) {
    threads.emplace_back([&] {
      bell.wait(0);
      ++awake;
    });
  }
  bell.ring();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(awake.load(), 5U);
}

}  // namespace
}  // namespace bell_test
}  // namespace quadrille
