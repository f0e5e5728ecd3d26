#include "quadrille/algorithms/worm_exchange/rank_rows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace rank_rows_test {
namespace {

// Rows of so many ranks, each there by chance.
RankRows by_chance(uint32_t nodes, uint32_t ranks, Rng& rng) {
  RankRows out(nodes, ranks);
  for (uint32_t v = 0; v < nodes; ++v)
    for (uint32_t r = 0; r < ranks; ++r)
      if (rng.below(3) != 0) out.add(v, r);
  return out;
}

TEST(RankRows, PairsThatAreLeftAreCountedAsASetWould) {
  for (const uint32_t ranks : {1U, 4U, 7U, 15U, 16U, 17U, 64U, 70U}) {
    Rng rng{ranks};
    const uint32_t nodes = 6;
    const RankRows hear = by_chance(nodes, ranks, rng);
    const RankRows tell = by_chance(nodes, ranks, rng);
    UnservedPairs left(ranks);
    std::set<std::pair<uint32_t, uint32_t>> served;
    for (uint32_t v = 0; v < nodes; ++v) {
      uint64_t expected = 0;
      for_each_rank(hear.row(v), [&](uint32_t from) {
        for_each_rank(tell.row(v), [&](uint32_t to) {
          if (served.insert({from, to}).second) ++expected;
        });
      });
      EXPECT_EQ(left.count(hear.row(v), tell.row(v)), expected) << ranks << " ranks, node " << v;
      left.serve(hear.row(v), tell.row(v));
      EXPECT_EQ(left.count(hear.row(v), tell.row(v)), 0U);
    }
    left.reset();
    RankRows all(1, ranks);
    for (uint32_t r = 0; r < ranks; ++r) all.add(0, r);
    EXPECT_EQ(left.count(all.row(0), all.row(0)), uint64_t{ranks} * ranks);
  }
}

}  // namespace
}  // namespace rank_rows_test
}  // namespace quadrille
