#include "quadrille/algorithms/placed_ranks/double_tree.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "quadrille/testing/one_port_broadcast.test.h"

namespace quadrille {
namespace {

TEST(DoubleTree, OneChunkARoundOnceTheTreesAreFull) {
  for (uint32_t ranks = 2; ranks <= 300; ++ranks) {
    const DoubleTree trees(ranks);
    const auto log = static_cast<uint32_t>(std::bit_width(ranks - 1));
    for (const uint32_t chunks : {1U, 2U, 3U, 10U, 31U}) {
      const RankRounds rounds = trees.broadcast(chunks);
      EXPECT_LE(rounds.size(), chunks + 2 * log) << ranks << " ranks, " << chunks << " chunks";
      EXPECT_EQ(rounds.size(), trees.num_rounds(chunks)) << ranks << " ranks, " << chunks << " chunks";
      expect_one_port_broadcast(rounds, ranks, chunks);
    }
  }
}

TEST(DoubleTree, RoundsAreKnownWithoutTheirMessages) {
  for (const uint32_t ranks : {1023U, 1024U, 1025U, 4097U}) {
    const DoubleTree trees(ranks);
    for (const uint32_t chunks : {1U, 4U, 57U}) {
      const RankRounds rounds = trees.broadcast(chunks);
      EXPECT_EQ(rounds.size(), trees.num_rounds(chunks));
      expect_one_port_broadcast(rounds, ranks, chunks);
    }
    EXPECT_LE(trees.num_rounds(1'000'000), 1'000'000 + 2U * static_cast<uint32_t>(std::bit_width(ranks - 1)));
  }
}

}  // namespace
}  // namespace quadrille
