#include "quadrille/base/threads/thread_team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace quadrille {
namespace thread_team_test {

TEST(ThreadTeam, DoesEveryPartOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    ThreadTeam team(threads);
    for (const size_t parts : {0U, 1U, 3U, 1000U}) {
      std::vector<int> done(parts, 0);
      team.for_each(parts, [&](size_t i) { ++done[i]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1)) << threads;
    }
    EXPECT_EQ(team.size(), std::max(threads, 1U));
  }
}

TEST(ThreadTeam, OneJobEndsBeforeTheNextBegins) {
  ThreadTeam team(3);
  std::vector<size_t> value(7, 0);
  for (size_t round = 0; round < 5000; ++round) {
    team.for_each(value.size(), [&](size_t i) {
      EXPECT_EQ(value[i], round);
      value[i] = round + 1;
    });
  }
}

// Threads that come late find the next job, or none, and nobody waits for them.
TEST(ThreadTeam, JobsThatAreOverAtOnceFollowEachOther) {
  ThreadTeam team(4);
  uint64_t sum = 0;
  for (uint64_t round = 0; round < 20000; ++round) {
    std::atomic<uint64_t> parts{0};
    team.for_each(1 + round % 3, [&](size_t) { ++parts; });
    sum += parts;
  }
  EXPECT_EQ(sum, 39999U);
}

TEST(ThreadTeam, WhatAPartThrowsReachesTheCallerAndTheTeamGoesOn) {
  ThreadTeam team(4);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(team.for_each(50,
                               [](size_t i) {
                                 if (i % 7 == 3) throw std::out_of_range("seven");
                               }),
                 std::out_of_range);
    std::atomic<size_t> sum{0};
    team.for_each(10, [&](size_t i) { sum += i; });
    EXPECT_EQ(sum, 45U);
  }
}

TEST(ThreadTeam, WithoutAJobNoThreadIsStarted) { EXPECT_EQ(ThreadTeam(8).size(), 1U); }

}  // namespace thread_team_test
}  // namespace quadrille
