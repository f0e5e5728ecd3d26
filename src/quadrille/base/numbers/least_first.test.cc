#include "quadrille/base/numbers/least_first.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {
namespace least_first_test {

void expect_least_first(std::vector<uint64_t> words, size_t count) {
  std::vector<uint64_t> sorted = words;
  std::ranges::sort(sorted);
  put_least_first(words, count);
  const auto middle = static_cast<std::ptrdiff_t>(count);
  std::sort(words.begin(), words.begin() + middle);
  std::sort(words.begin() + middle, words.end());
  EXPECT_EQ(words, sorted) << count << " of " << words.size();
}

TEST(LeastFirst, PutsTheLeastBeforeAllOthers) {
  Rng rng(1);
  for (const size_t size : {0U, 1U, 2U, 15U, 16U, 17U, 100U, 1000U}) {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < size; ++i) words.push_back(rng.next());
    for (size_t count = 0; count <= size; count += 1 + size / 20) expect_least_first(words, count);
    std::ranges::sort(words);
    expect_least_first(words, size / 3);
    std::ranges::reverse(words);
    expect_least_first(words, size / 3);
  }
}

TEST(LeastFirst, EndsWhereWordsAreAlike) {
  expect_least_first(std::vector<uint64_t>(100, 7), 30);
  std::vector<uint64_t> few;
  for (uint64_t i = 0; i < 200; ++i) few.push_back(i * i % 5);
  for (const size_t count : {1U, 40U, 80U, 199U}) expect_least_first(few, count);
}

}  // namespace least_first_test
}  // namespace quadrille
