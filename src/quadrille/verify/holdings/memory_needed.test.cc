#include "quadrille/verify/holdings/memory_needed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace memory_needed_test {

Int128 bytes(std::string_view spec, CollectiveKind kind) {
  return holdings_bytes(standard_problem(parse_topology(spec), kind));
}

TEST(HoldingsBytes, AreAWordABlockThatMoves) {
  EXPECT_EQ(bytes("ring(8)", CollectiveKind::kAlltoall), Int128{64 * 8});
}

TEST(HoldingsBytes, AreABitABlockThatIsCopiedAndNode) {
  EXPECT_EQ(bytes("ring(64)", CollectiveKind::kAllgather), Int128{64 * 8});
  EXPECT_EQ(bytes("ring(65)", CollectiveKind::kAllgather), Int128{65 * 2 * 8});
  EXPECT_EQ(bytes("ring(300)", CollectiveKind::kAllgather), Int128{300 * 5 * 8});
}

TEST(HoldingsBytes, AreABitARankAndAWordMoreAPlaceOfAReduction) {
  EXPECT_EQ(bytes("ring(64)", CollectiveKind::kReduceScatter), Int128{64 * 64 * 2 * 8});
  EXPECT_EQ(bytes("ring(65)", CollectiveKind::kReduceScatter), Int128{65 * 65 * 3 * 8});
}

TEST(HoldingsBytes, BeyondTheMachineAreRefusedWithTheirNumber) {
  // 27 TB: 60,000 blocks at 60,000 nodes, 939 words each.
  const Problem problem = standard_problem(parse_topology("ring(60000)"), CollectiveKind::kReduceScatter);
  try {
    require_memory_for_holdings(problem);
    FAIL() << "does this machine have 27 TB?";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("reduce_scatter on ring(60000) has 60000 blocks: to follow them "
                                     "all needs about 25186 GiB; this"));
  }
  require_memory_for_holdings(standard_problem(parse_topology("ring(8)"), CollectiveKind::kReduceScatter));
}

}  // namespace memory_needed_test
}  // namespace quadrille
