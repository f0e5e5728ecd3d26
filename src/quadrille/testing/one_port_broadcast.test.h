// Rounds of a broadcast of chunks with one port, looked at by rules of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

/// Whether every rank has all chunks in the end, each once; nobody sends, or receives, two in a round, or sends what it has not.
inline void expect_one_port_broadcast(const RankRounds& rounds, uint32_t ranks, uint32_t chunks) {
  std::vector<bool> has(size_t{ranks} * chunks, false);
  for (uint32_t c = 0; c < chunks; ++c) has[c] = true;
  uint64_t received = 0;
  for (size_t r = 0; r < rounds.size(); ++r) {
    std::vector<bool> sends(ranks, false);
    std::vector<bool> receives(ranks, false);
    std::vector<size_t> new_here;
    for (const RankRounds::Message& message : rounds.round(r)) {
      ASSERT_EQ(rounds.blocks(message).size(), 1U);
      const size_t chunk = index(rounds.blocks(message).front());
      ASSERT_FALSE(sends[message.from]) << message.from << " of " << ranks << " in round " << r;
      ASSERT_FALSE(receives[message.to]) << message.to << " of " << ranks << " in round " << r;
      sends[message.from] = receives[message.to] = true;
      ASSERT_TRUE(has[size_t{message.from} * chunks + chunk])
          << message.from << " of " << ranks << ", chunk " << chunk;
      ASSERT_FALSE(has[size_t{message.to} * chunks + chunk])
          << message.to << " of " << ranks << ": a second copy";
      new_here.push_back(size_t{message.to} * chunks + chunk);
    }
    for (const size_t place : new_here) has[place] = true;
    received += new_here.size();
  }
  EXPECT_EQ(received, uint64_t{ranks - 1} * chunks) << ranks << " ranks, " << chunks << " chunks";
}

}  // namespace quadrille
