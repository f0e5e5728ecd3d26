#include "quadrille/collective/collective.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/collective/counts.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace collective_test {

using ::testing::HasSubstr;

Collective any_collective() {
  const CollectiveKind kind = *rc::gen::elementOf(kCollectiveKinds);
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 9);
  return Collective::standard(kind, ranks, Rank{*rc::gen::inRange<uint32_t>(0, ranks)},
                              *rc::gen::inRange<uint32_t>(1, 5));
}

RC_GTEST_PROP(Collective, FindBlockIsTheReverseOfName, ()) {
  const Collective c = any_collective();
  for (uint32_t b = 0; b < c.num_blocks(); ++b) {
    const BlockName name = c.name(BlockId{b});
    RC_ASSERT(c.find_block(std::span(name.parts).first(name.size)) == BlockId{b});
  }
}

RC_GTEST_PROP(Collective, ANameThatIsFoundIsTheNameOfWhatIsFound, ()) {
  const Collective c = any_collective();
  const auto parts =
      *rc::gen::resize(3, rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 9)));
  const std::optional<BlockId> found = c.find_block(parts);
  if (!found) return;
  RC_ASSERT(index(*found) < c.num_blocks());
  const BlockName name = c.name(*found);
  RC_ASSERT(std::vector<uint32_t>(name.parts.begin(), name.parts.begin() + name.size) == parts);
}

RC_GTEST_PROP(Collective, OriginsAndDestinationsAreRanksAndAgreeWithBlock, ()) {
  const Collective c = any_collective();
  for (uint32_t b = 0; b < c.num_blocks(); ++b) {
    const BlockId block{b};
    if (c.flow() != Flow::kCombine) RC_ASSERT(index(c.origin(block)) < c.num_ranks());
    if (!c.delivers_to_all()) {
      RC_ASSERT(index(c.destination(block)) < c.num_ranks());
      for (uint32_t r = 0; r < c.num_ranks(); ++r) {
        RC_ASSERT(c.is_destination(block, Rank{r}) == (Rank{r} == c.destination(block)));
      }
    }
    if (c.flow() == Flow::kMove) {
      RC_ASSERT(c.block(c.origin(block), c.destination(block), b % c.pieces()) == block);
    }
  }
}

RC_GTEST_PROP(Collective, PiecesAreTheFastestIndex, ()) {
  const Collective c = any_collective();
  for (uint32_t b = 0; b < c.num_blocks(); ++b) {
    const BlockName name = c.name(BlockId{b});
    RC_ASSERT(name.has_piece == (c.pieces() > 1 || c.kind() == CollectiveKind::kAllreduce));
    if (name.has_piece) RC_ASSERT(name.parts[name.size - 1] == b % c.pieces());
  }
}

TEST(Collective, OfCountsHasABlockForEachUnitOfThem) {
  const Collective c =
      Collective::counted(Counts(4, {{Rank{3}, Rank{1}, 1}, {Rank{0}, Rank{2}, 3}, {Rank{2}, Rank{2}, 2}}));
  EXPECT_EQ(c.name(), "alltoallv");
  EXPECT_EQ(c.flow(), Flow::kMove);
  EXPECT_EQ(c.num_blocks(), 6U);
  EXPECT_EQ(c.pieces(), 1U);
  std::string names;
  for (uint32_t b = 0; b < c.num_blocks(); ++b) {
    const BlockName name = c.name(BlockId{b});
    names += fmt::format("{}-{}.{} ", name.parts[0], name.parts[1], name.parts[2]);
    EXPECT_EQ(name.size, c.name_form().size);
    EXPECT_TRUE(name.has_piece && c.name_form().has_piece);
    EXPECT_EQ(index(c.origin(BlockId{b})), name.parts[0]);
    EXPECT_EQ(index(c.destination(BlockId{b})), name.parts[1]);
    EXPECT_EQ(c.block(c.origin(BlockId{b}), c.destination(BlockId{b}), name.parts[2]), BlockId{b});
    EXPECT_EQ(c.find_block(name.parts), BlockId{b});
  }
  EXPECT_EQ(names, "0-2.0 0-2.1 0-2.2 2-2.0 2-2.1 3-1.0 ");
  const std::vector<std::vector<uint32_t>> absent = {{0, 2, 3}, {0, 1, 0}, {0, 2}, {4, 2, 0}, {0, 4, 0}};
  for (const std::vector<uint32_t>& none : absent) EXPECT_EQ(c.find_block(none), std::nullopt);
}

TEST(Collective, OfCountsMayHaveNoBlocksAtAll) {
  const Collective c = Collective::counted(Counts(3, {}));
  EXPECT_EQ(c.num_blocks(), 0U);
  EXPECT_EQ(c.name_form().size, 3U);
  EXPECT_EQ(c.find_block(std::array<uint32_t, 3>{0, 0, 0}), std::nullopt);
}

TEST(Collective, OfEqualCountsIsEqual) {
  const auto of = [](uint32_t count) { return Collective::counted(Counts(3, {{Rank{0}, Rank{1}, count}})); };
  EXPECT_EQ(of(2), of(2));
  EXPECT_NE(of(2), of(3));
  EXPECT_NE(of(2), Collective::standard(CollectiveKind::kAlltoall, 3));
}

TEST(Collective, OfCountsIsNotMadeWithoutThem) {
  EXPECT_THAT(error_of([] { (void)Collective::standard(CollectiveKind::kAlltoallv, 4); }),
              HasSubstr("needs counts"));
  EXPECT_EQ(parse_collective_kind("alltoallv"), CollectiveKind::kAlltoallv);
}

TEST(Collective, HasAsManyBlocksAsItsKindAsksFor) {
  const auto blocks = [](CollectiveKind kind) {
    return Collective::standard(kind, 5, Rank{2}, 3).num_blocks();
  };
  EXPECT_EQ(blocks(CollectiveKind::kBroadcast), 3U);
  EXPECT_EQ(blocks(CollectiveKind::kReduce), 3U);
  EXPECT_EQ(blocks(CollectiveKind::kAllreduce), 3U);
  EXPECT_EQ(blocks(CollectiveKind::kScatter), 15U);
  EXPECT_EQ(blocks(CollectiveKind::kGather), 15U);
  EXPECT_EQ(blocks(CollectiveKind::kAllgather), 15U);
  EXPECT_EQ(blocks(CollectiveKind::kReduceScatter), 15U);
  EXPECT_EQ(blocks(CollectiveKind::kAlltoall), 75U);
}

TEST(Collective, OnlyRootedKindsHaveARoot) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    const bool rooted = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter ||
                        kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
    EXPECT_EQ(Collective::standard(kind, 4, Rank{3}).root().has_value(), rooted) << name_of(kind);
  }
}

TEST(Collective, KnowsTheWordsOfMpiAndOfThePapers) {
  for (const CollectiveKind kind : kCollectiveKinds) EXPECT_EQ(parse_collective_kind(name_of(kind)), kind);
  EXPECT_EQ(parse_collective_kind("total-exchange"), CollectiveKind::kAlltoall);
  EXPECT_EQ(parse_collective_kind("multinode_broadcast"), CollectiveKind::kAllgather);
  EXPECT_EQ(parse_collective_kind("reduce-scatter"), CollectiveKind::kReduceScatter);
  EXPECT_THAT(error_of([] { (void)parse_collective_kind("alltoal"); }),
              HasSubstr("unknown collective 'alltoal'"));
  EXPECT_THAT(error_of([] { (void)parse_collective_kind("alltoal"); }), HasSubstr("reduce_scatter"));
}

TEST(Collective, RefusesWhatCannotBe) {
  EXPECT_NE(error_of([] { (void)Collective::standard(CollectiveKind::kGather, 0); }), "no error");
  EXPECT_NE(error_of([] { (void)Collective::standard(CollectiveKind::kGather, 4, Rank{4}); }), "no error");
  EXPECT_NE(error_of([] { (void)Collective::standard(CollectiveKind::kGather, 4, Rank{0}, 0); }), "no error");
  EXPECT_EQ(error_of([] { (void)Collective::standard(CollectiveKind::kAlltoall, 4, Rank{9}); }), "no error");
  EXPECT_THAT(error_of([] { (void)Collective::standard(CollectiveKind::kAlltoall, 70'000); }),
              HasSubstr("has more blocks than can be numbered"));
  EXPECT_THAT(
      error_of([] { (void)Collective::standard(CollectiveKind::kAlltoall, 60'000, Rank{0}, 4'000'000'000); }),
      HasSubstr("has more blocks than can be numbered"));
}

TEST(Collective, blocks_that_are_only_counted_may_be_more_than_can_be_numbered) {
  const Collective large = Collective::for_figures(CollectiveKind::kAlltoall, 262144);
  EXPECT_FALSE(large.is_numbered());
  EXPECT_EQ(large.block_count(), uint64_t{262144} * 262144);
  EXPECT_EQ(large.num_ranks(), 262144U);
  const Collective small = Collective::standard(CollectiveKind::kAlltoall, 16);
  EXPECT_TRUE(small.is_numbered());
  EXPECT_EQ(small.block_count(), small.num_blocks());
  EXPECT_EQ(Collective::for_figures(CollectiveKind::kBroadcast, 16, Rank{3}, 5).block_count(), 5U);
}

TEST(Collective, counts_no_further_than_64_bits) {
  EXPECT_THAT(error_of([] {
                static_cast<void>(
                    Collective::for_figures(CollectiveKind::kAlltoall, UINT32_MAX, Rank{0}, UINT32_MAX));
              }),
              HasSubstr("more blocks than 64 bits can count"));
  EXPECT_THAT(
      error_of([] { static_cast<void>(Collective::for_figures(CollectiveKind::kScatter, 4, Rank{4})); }),
      HasSubstr("root 4 does not exist"));
}

}  // namespace collective_test
}  // namespace quadrille
