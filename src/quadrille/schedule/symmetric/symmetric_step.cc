#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

ArcId arc_at(const Problem& problem, const SymmetricMove& move, NodeId sender) {
  return problem.topology().cayley()->arc(sender, move.generator);
}

BlockId block_at(const Problem& problem, const SymmetricMove& move, NodeId sender) {
  const Group& group = *problem.topology().cayley()->group;
  const Collective& collective = problem.collective();
  const auto x = static_cast<uint32_t>(index(sender));
  if (collective.kind() == CollectiveKind::kReduceScatter)
    return collective.block(Rank{group.multiply(x, move.left)}, move.piece);
  if (collective.kind() == CollectiveKind::kAllreduce) {
    const uint32_t of_each = collective.num_blocks() / collective.num_ranks();
    return BlockId{group.multiply(x, move.left) * of_each + move.piece};
  }
  const Rank origin{group.multiply(x, group.inverse(move.moved))};
  if (collective.kind() == CollectiveKind::kAllgather) return collective.block(origin, move.piece);
  return collective.block(origin, Rank{group.multiply(x, move.left)}, move.piece);
}

}  // namespace quadrille
