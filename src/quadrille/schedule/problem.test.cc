#include "quadrille/schedule/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/schedule/plan_forms.test.h"

namespace quadrille {
namespace problem_test {

using ::testing::HasSubstr;

// Endpoints 1, 3, 4; nodes 0 and 2 route.
Topology star() {
  TopologyBuilder builder("net", 5);
  for (const uint32_t v : {1U, 2U, 3U, 4U}) builder.link(NodeId{0}, NodeId{v});
  builder.endpoints({NodeId{1}, NodeId{3}, NodeId{4}});
  return builder.build();
}

TEST(Problem, BlocksAreNamedByNodesNotRanks) {
  const Problem task = standard_problem(star(), CollectiveKind::kScatter, {}, NodeId{3}, 2);
  EXPECT_EQ(task.title(), "scatter on net");
  EXPECT_EQ(task.collective().root(), Rank{1});
  const BlockId block = task.collective().block(Rank{2}, 1);
  EXPECT_EQ(task.origin(block), NodeId{3});
  EXPECT_EQ(task.destination(block), NodeId{4});
  const BlockName name = task.block_name(block);
  ASSERT_EQ(name.size, 3U);
  EXPECT_EQ(name.parts, (std::array<uint32_t, 3>{3, 4, 1}));
  EXPECT_TRUE(name.has_piece);
}

TEST(Problem, EveryBlockIsFoundByItsName) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    for (const uint32_t pieces : {1U, 3U}) {
      const Problem task = standard_problem(star(), kind, {}, NodeId{4}, pieces);
      for (uint32_t b = 0; b < task.collective().num_blocks(); ++b) {
        const BlockName name = task.block_name(BlockId{b});
        EXPECT_EQ(task.find_block(std::span(name.parts).first(name.size)), BlockId{b}) << name_of(kind);
      }
    }
  }
}

TEST(Problem, NamesOfRoutersStrangersAndOtherShapesFindNoBlock) {
  const Problem exchange = standard_problem(star(), CollectiveKind::kAlltoall);
  const auto find = [&](std::vector<uint32_t> parts) { return exchange.find_block(parts); };
  EXPECT_TRUE(find({1, 3}));
  EXPECT_FALSE(find({0, 3}));
  EXPECT_FALSE(find({1, 2}));
  EXPECT_FALSE(find({1, 5}));
  EXPECT_FALSE(find({1, 4294967295}));
  EXPECT_FALSE(find({1}));
  EXPECT_FALSE(find({1, 3, 0}));
  EXPECT_FALSE(find({}));
  const Problem gather = standard_problem(star(), CollectiveKind::kGather, {}, NodeId{3});
  EXPECT_TRUE(gather.find_block(std::vector<uint32_t>{1, 3}));
  EXPECT_FALSE(gather.find_block(std::vector<uint32_t>{1, 4}));
}

TEST(Problem, ThePartsMustFit) {
  EXPECT_EQ(error_of([] { Problem(star(), Collective::standard(CollectiveKind::kGather, 5), {}); }),
            "gather of 5 ranks does not fit net, which has 3 endpoints");
  Model model;
  model.routing = Routing::kDimensionOrder;
  EXPECT_THAT(error_of([&] { (void)standard_problem(star(), CollectiveKind::kGather, model); }),
              HasSubstr("net has no dimensions to order"));
  model = {};
  model.receive = Ports{5};
  EXPECT_THAT(error_of([&] { (void)standard_problem(star(), CollectiveKind::kGather, model); }),
              HasSubstr("5 receive ports, but no node of net has more than "));
  EXPECT_THAT(error_of([] { (void)standard_problem(star(), CollectiveKind::kGather, {}, NodeId{5}); }),
              HasSubstr("root 5 does not exist: the nodes of net are 0 to 4"));
  EXPECT_THAT(error_of([] { (void)standard_problem(star(), CollectiveKind::kGather, {}, NodeId{2}); }),
              HasSubstr("root 2 of net only routes"));
}

}  // namespace problem_test
}  // namespace quadrille
