#include "quadrille/base/ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace quadrille {
namespace ids_test {

// A node is not an arc, and no number becomes either by accident.
static_assert(!std::is_convertible_v<NodeId, ArcId> && !std::is_convertible_v<uint32_t, NodeId>);
static_assert(index(id_at<BlockId>(7)) == 7);
static_assert(index(kNoNode) == kMaxIds && index(kNoArc) == kMaxIds);

TEST(IdRange, VisitsEveryIdInOrder) {
  std::vector<NodeId> seen;
  for (const NodeId node : IdRange<NodeId>(3, 6)) seen.push_back(node);
  EXPECT_THAT(seen, ::testing::ElementsAre(NodeId{3}, NodeId{4}, NodeId{5}));
  EXPECT_EQ(IdRange<NodeId>(3, 6)[2], NodeId{5});
}

TEST(IdRange, CanBeEmpty) {
  const IdRange<ArcId> none(4, 4);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(none.begin(), none.end());
}

}  // namespace ids_test
}  // namespace quadrille
