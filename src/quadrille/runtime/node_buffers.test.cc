#include "quadrille/runtime/node_buffers.h"

#include <gtest/gtest.h>

#include "quadrille/program/buffer_layout.h"

namespace quadrille {
namespace node_buffers_test {

TEST(NodeBuffers, AreLaidOutLikeThoseOfAllRanksTogether) {
  for (const CollectiveKind kind :
       {CollectiveKind::kAlltoall, CollectiveKind::kAllgather, CollectiveKind::kGather,
        CollectiveKind::kScatter, CollectiveKind::kBroadcast}) {
    for (const uint32_t pieces : {1U, 3U}) {
      const Collective collective = Collective::standard(kind, 5, Rank{2}, pieces);
      const BufferLayout all(collective);
      for (uint32_t r = 0; r < 5; ++r) {
        const NodeBuffers mine(collective, Rank{r});
        const std::span<const BlockId> in = all.input_blocks(Rank{r});
        const std::span<const BlockId> out = all.output_blocks(Rank{r});
        ASSERT_EQ(mine.input_slots(), in.size());
        ASSERT_EQ(mine.output_slots(), out.size());
        for (uint32_t i = 0; i < in.size(); ++i) {
          EXPECT_EQ(mine.input_block(i), in[i]);
          EXPECT_EQ(mine.input_slot(in[i]), i);
        }
        for (uint32_t i = 0; i < out.size(); ++i) {
          EXPECT_EQ(mine.output_block(i), out[i]);
          EXPECT_EQ(mine.output_slot(out[i]), i);
        }
      }
    }
  }
}

}  // namespace node_buffers_test
}  // namespace quadrille
