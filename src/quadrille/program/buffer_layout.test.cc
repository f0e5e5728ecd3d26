#include "quadrille/program/buffer_layout.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace buffer_layout_test {

TEST(BufferLayout, IsMpisForAlltoall) {
  const Collective c = Collective::standard(CollectiveKind::kAlltoall, 4, Rank{0}, 3);
  const BufferLayout layout(c);
  for (uint32_t s = 0; s < 4; ++s) {
    EXPECT_EQ(layout.input_slots(Rank{s}), 12U);
    EXPECT_EQ(layout.output_slots(Rank{s}), 12U);
    for (uint32_t d = 0; d < 4; ++d) {
      for (uint32_t p = 0; p < 3; ++p) {
        EXPECT_EQ(layout.input_slot(c.block(Rank{s}, Rank{d}, p)), d * 3 + p);
        EXPECT_EQ(layout.output_slot(c.block(Rank{s}, Rank{d}, p)), s * 3 + p);
      }
    }
  }
}

TEST(BufferLayout, RootedCollectivesHaveBuffersWhereMpiHasThem) {
  struct Row {
    CollectiveKind kind;
    uint32_t root_input, other_input, root_output, other_output;
  };
  for (const Row& row :
       {Row{CollectiveKind::kBroadcast, 2, 0, 2, 2}, Row{CollectiveKind::kScatter, 10, 0, 2, 2},
        Row{CollectiveKind::kGather, 2, 2, 10, 0}, Row{CollectiveKind::kReduce, 2, 2, 2, 0},
        Row{CollectiveKind::kAllgather, 2, 2, 10, 10}, Row{CollectiveKind::kAllreduce, 2, 2, 2, 2},
        Row{CollectiveKind::kReduceScatter, 10, 10, 2, 2}}) {
    const BufferLayout layout(Collective::standard(row.kind, 5, Rank{3}, 2));
    EXPECT_EQ(layout.input_slots(Rank{3}), row.root_input) << name_of(row.kind);
    EXPECT_EQ(layout.input_slots(Rank{1}), row.other_input) << name_of(row.kind);
    EXPECT_EQ(layout.output_slots(Rank{3}), row.root_output) << name_of(row.kind);
    EXPECT_EQ(layout.output_slots(Rank{1}), row.other_output) << name_of(row.kind);
  }
}

TEST(BufferLayout, BlocksLieInTheOrderOfTheirNumbers) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    const BufferLayout layout(Collective::standard(kind, 3, Rank{1}, 2));
    for (uint32_t r = 0; r < 3; ++r) {
      const std::span<const BlockId> in = layout.input_blocks(Rank{r});
      const std::span<const BlockId> out = layout.output_blocks(Rank{r});
      ASSERT_EQ(in.size(), layout.input_slots(Rank{r}));
      ASSERT_EQ(out.size(), layout.output_slots(Rank{r}));
      for (uint32_t i = 0; i < in.size(); ++i) EXPECT_EQ(layout.input_slot(in[i]), i);
      for (uint32_t i = 0; i < out.size(); ++i) EXPECT_EQ(layout.output_slot(out[i]), i);
    }
  }
}

}  // namespace buffer_layout_test
}  // namespace quadrille
