#include "quadrille/runtime/node_buffers.h"

#include "quadrille/base/check.h"

namespace quadrille {

NodeBuffers::NodeBuffers(const Collective& collective, Rank rank) : collective_(collective), rank_(rank) {
  const auto r = static_cast<uint32_t>(index(rank));
  const uint32_t n = collective.num_ranks();
  const uint32_t pieces = collective.pieces();
  const bool is_root = collective.root() == rank;
  const auto set = [this](uint32_t first, uint32_t in, uint32_t out) {
    first_input_ = first;
    input_slots_ = in;
    output_slots_ = out;
  };
  switch (collective.kind()) {
    case CollectiveKind::kAlltoall:
      set(r * n * pieces, n * pieces, n * pieces);
      break;
    case CollectiveKind::kAllgather:
      set(r * pieces, pieces, n * pieces);
      break;
    case CollectiveKind::kGather:
      set(r * pieces, pieces, is_root ? n * pieces : 0);
      break;
    case CollectiveKind::kScatter:
      set(0, is_root ? n * pieces : 0, pieces);
      break;
    case CollectiveKind::kBroadcast:
      set(0, is_root ? pieces : 0, pieces);
      break;
    default:
      QUADRILLE_CHECK(false, "nodes that run by themselves do not reduce");
  }
}

BlockId NodeBuffers::output_block(uint32_t slot) const {
  const uint32_t pieces = collective_.pieces();
  const auto r = static_cast<uint32_t>(index(rank_));
  switch (collective_.kind()) {
    case CollectiveKind::kAlltoall:
      return BlockId{(slot / pieces * collective_.num_ranks() + r) * pieces + slot % pieces};
    case CollectiveKind::kScatter:
      return BlockId{r * pieces + slot};
    default:
      return BlockId{slot};
  }
}

uint32_t NodeBuffers::output_slot(BlockId block) const {
  const uint32_t pieces = collective_.pieces();
  const auto b = static_cast<uint32_t>(index(block));
  switch (collective_.kind()) {
    case CollectiveKind::kAlltoall:
      return b / pieces / collective_.num_ranks() * pieces + b % pieces;
    case CollectiveKind::kScatter:
      return b % pieces;
    default:
      return b;
  }
}

}  // namespace quadrille
