#include "quadrille/base/crew/crew.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/thread_crew.test.h"

namespace quadrille {
namespace crew_test {

std::vector<uint64_t> squares(const Sharing& how, size_t count) {
  return shared_parts<uint64_t>(how, count, [](size_t i) { return uint64_t{i} * i; });
}

TEST(Crew, EverybodyKnowsWhatCameOfAllParts) {
  const std::vector<uint64_t> alone = squares({.threads = 2}, 100);
  EXPECT_EQ(alone[99], 99U * 99U);
  for (const uint32_t size : {1U, 2U, 5U}) {
    testing::ThreadCrew::run(size, [&](Crew& crew) {
      EXPECT_EQ(squares({.crew = &crew}, 100), alone);
      EXPECT_EQ(squares({.crew = &crew}, 0), std::vector<uint64_t>{});
    });
  }
}

TEST(Crew, WhoIsAloneIsToldHowFarTheWorkIs) {
  size_t last = 0;
  static_cast<void>(squares({.threads = 2,
                             .done =
                                 [&](size_t over, size_t of) {
                                   EXPECT_EQ(of, 7U);
                                   EXPECT_EQ(over, ++last);
                                 }},
                            7));
  EXPECT_EQ(last, 7U);
}

TEST(Crew, WhatAPartThrowsIsThrown) {
  const auto throwing = [](size_t i) -> uint64_t {
    if (i == 3) throw InputError("three");
    return i;
  };
  EXPECT_THROW(static_cast<void>(shared_parts<uint64_t>({.threads = 2}, 5, throwing)), InputError);
}

}  // namespace crew_test
}  // namespace quadrille
