#include "quadrille/algorithms/placed_ranks/circulant_broadcast.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "quadrille/testing/one_port_broadcast.test.h"

namespace quadrille {
namespace {

void expect_broadcast(uint32_t ranks, uint32_t chunks) {
  const RankRounds rounds = circulant_broadcast(ranks, chunks);
  ASSERT_EQ(rounds.size(), chunks - 1 + std::bit_width(ranks - 1)) << ranks << " ranks";
  expect_one_port_broadcast(rounds, ranks, chunks);
}

TEST(CirculantBroadcast, OfOneChunkAndOfAsManyAsAPhaseHasRounds) {
  for (uint32_t ranks = 2; ranks <= 300; ++ranks) {
    const auto q = static_cast<uint32_t>(std::bit_width(ranks - 1));
    for (const uint32_t chunks : {1U, 2U, q, 2 * q + 1}) expect_broadcast(ranks, chunks);
  }
}

TEST(CirculantBroadcast, OfAnyNumberOfRanks) {
  for (uint32_t ranks = 301; ranks <= 2100; ranks += 97) expect_broadcast(ranks, 13);
  for (const uint32_t ranks : {4095U, 4096U, 4097U, 10'007U, 65'537U}) expect_broadcast(ranks, 17);
}

}  // namespace
}  // namespace quadrille
