#include "quadrille/schedule/symmetric/symmetric_step.h"

#include <vector>

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

void add_transfers(const Problem& problem, std::span<const SymmetricMove> moves, NodeId sender,
                   StepBuilder& step) {
  std::vector<BlockId> blocks;
  for (size_t m = 0; m < moves.size();) {
    const SymmetricMove& first = moves[m];
    blocks.clear();
    do {
      blocks.push_back(block_at(problem, moves[m], sender));
    } while (++m < moves.size() && moves[m].joins);
    const ArcId arc = arc_at(problem, first, sender);
    step.add({&arc, 1}, blocks, first.copies ? TransferOp::kCopy : TransferOp::kDefault);
  }
}

}  // namespace quadrille
