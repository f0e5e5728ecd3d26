#include "quadrille/collective/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace counts_test {

using ::testing::HasSubstr;

TEST(Counts, AreKeptByPairWhateverTheirOrder) {
  const Counts counts(
      3, {{Rank{2}, Rank{0}, 4}, {Rank{0}, Rank{2}, 1}, {Rank{0}, Rank{1}, 2}, {Rank{1}, Rank{1}, 0}});
  ASSERT_EQ(counts.entries().size(), 3U);
  EXPECT_EQ(counts.entries()[0], (Counts::Entry{Rank{0}, Rank{1}, 2}));
  EXPECT_EQ(counts.num_blocks(), 7U);
  EXPECT_EQ(counts.count(Rank{2}, Rank{0}), 4U);
  EXPECT_EQ(counts.count(Rank{1}, Rank{1}), 0U);
  EXPECT_EQ(counts.from(Rank{0}).size(), 2U);
  EXPECT_TRUE(counts.from(Rank{1}).empty());
  EXPECT_EQ(counts.first_block(2), 3U);
  EXPECT_EQ(counts.first_block(3), 7U);
  EXPECT_EQ(counts.sent_by(Rank{0}), 3U);
  EXPECT_EQ(counts.received_by(Rank{0}), 4U);
  EXPECT_EQ(Counts(2, {{Rank{1}, Rank{1}, 3}, {Rank{1}, Rank{0}, 2}}).moved(), 2U);
}

TEST(Counts, TransposedGoTheOtherWayAndTwiceAreThemselves) {
  const Counts counts(3, {{Rank{2}, Rank{0}, 4}, {Rank{0}, Rank{1}, 2}});
  EXPECT_EQ(counts.transposed().count(Rank{0}, Rank{2}), 4U);
  EXPECT_EQ(counts.transposed().transposed(), counts);
}

TEST(Counts, OfWhatIsNotThereAreRefused) {
  const auto error = [](uint32_t ranks, std::vector<Counts::Entry> entries) {
    return error_of([&] { Counts(ranks, std::move(entries)); });
  };
  EXPECT_THAT(error(2, {{Rank{0}, Rank{2}, 1}}), HasSubstr("the ranks are 0 to 1"));
  EXPECT_THAT(error(2, {{Rank{0}, Rank{1}, 1}, {Rank{0}, Rank{1}, 0}}), HasSubstr("a pair has one"));
  EXPECT_THAT(error(2, {{Rank{0}, Rank{1}, UINT32_MAX}, {Rank{1}, Rank{0}, 1}}), HasSubstr("larger units"));
  EXPECT_THAT(error(0, {}), HasSubstr("at least one rank"));
}

}  // namespace counts_test
}  // namespace quadrille
