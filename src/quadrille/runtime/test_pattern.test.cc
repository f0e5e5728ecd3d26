#include "quadrille/runtime/test_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace quadrille {
namespace test_pattern_test {

TEST(TestPattern, ASpoiltOutputIsWrongInEveryByte) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    const BufferLayout layout(Collective::standard(kind, 3, Rank{0}, 2));
    for (const size_t block_bytes : {0U, 1U, 13U, 9000U}) {
      std::vector<std::byte> output(layout.output_slots(Rank{0}) * block_bytes);
      spoil_output(layout, Rank{0}, block_bytes, 4, output);
      EXPECT_EQ(count_wrong_bytes(layout, Rank{0}, block_bytes, 4, output), output.size());
      for (std::byte& byte : output) byte = ~byte;
      EXPECT_EQ(count_wrong_bytes(layout, Rank{0}, block_bytes, 4, output), 0U);
    }
  }
}

TEST(TestPattern, OneFlippedBitIsOneWrongByte) {
  const BufferLayout layout(Collective::standard(CollectiveKind::kAllreduce, 4));
  std::vector<std::byte> output(5001);
  spoil_output(layout, Rank{1}, output.size(), 0, output);
  for (std::byte& byte : output) byte = ~byte;
  for (const size_t at : {0U, 4095U, 4096U, 5000U}) {
    output[at] ^= std::byte{4};
    EXPECT_EQ(count_wrong_bytes(layout, Rank{1}, output.size(), 0, output), 1U);
    output[at] ^= std::byte{4};
  }
}

TEST(TestPattern, RanksBlocksAndRoundsDiffer) {
  const BufferLayout layout(Collective::standard(CollectiveKind::kAllreduce, 2, Rank{0}, 2));
  const auto input = [&](uint32_t rank, uint64_t round) {
    std::vector<std::byte> bytes(16);
    fill_input(layout, Rank{rank}, 8, round, bytes);
    return bytes;
  };
  EXPECT_EQ(input(0, 0), input(0, 0));
  EXPECT_NE(input(0, 0), input(1, 0));
  EXPECT_NE(input(0, 0), input(0, 1));
  EXPECT_FALSE(std::equal(input(0, 0).begin(), input(0, 0).begin() + 8, input(0, 0).begin() + 8));
}

TEST(TestPattern, ASumIsWhatItsInputsAddUpTo) {
  const BufferLayout layout(Collective::standard(CollectiveKind::kReduce, 3, Rank{2}));
  std::vector<std::byte> sum(100);
  for (uint32_t r = 0; r < 3; ++r) {
    std::vector<std::byte> input(100);
    fill_input(layout, Rank{r}, 100, 9, input);
    kSumBytes.apply(sum.data(), input.data(), 100);
  }
  EXPECT_EQ(count_wrong_bytes(layout, Rank{2}, 100, 9, sum), 0U);
}

}  // namespace test_pattern_test
}  // namespace quadrille
