#include "quadrille/verify/holdings/sum_forest.h"

#include <algorithm>

namespace quadrille {

SumForest::SumForest(const Problem& problem, uint32_t blocks, Pages pages)
    : problem_(problem),
      nodes_(problem.topology().num_nodes()),
      ranks_(problem.collective().num_ranks()),
      own_(nodes_, 0),
      cells_(size_t{blocks} * nodes_, pages) {
  for (const NodeId node : problem.topology().nodes())
    own_[index(node)] = problem.topology().rank(node) ? 1 : 0;
}

bool SumForest::may_send(const Cell& sender, const Move& move) const {
  if (move.copy) return is_whole(sender, move.from);
  return sender.sent_to == 0 && !is_whole(sender, move.from) && sender.gained + own(move.from) > 0;
}

// Two stamps are taken for one where 2^31 steps lie between them. That only says that there is no forest.
bool SumForest::may_arrive(Cell& receiver, const Move& move, uint32_t step) const {
  const bool again = receiver.stamp >> 1U == (step & 0x7fffffffU);
  if (again && (move.copy || (receiver.stamp & 1U) != 0)) return false;
  receiver.stamp = step << 1U | (move.copy ? 1U : 0U);
  return move.copy || (receiver.sent_to == 0 && !is_whole(receiver, move.to));
}

// A step reads the state before it: all that is sent is marked before anything arrives, so that nothing arrives where
// something was sent, in this step or before.
bool SumForest::take(uint32_t block, uint32_t step, std::span<const Move> moves) {
  Cell* cells = &cells_[cell(block, NodeId{0})];
  const auto take_back = [&](size_t marked) {
    for (const Move& move : moves.first(marked))
      if (!move.copy) cells[index(move.from)].sent_to = 0;
    return false;
  };
  for (size_t i = 0; i < moves.size(); ++i) {
    Cell& sender = cells[index(moves[i].from)];
    if (!may_send(sender, moves[i])) return take_back(i);
    if (!moves[i].copy) sender.sent_to = static_cast<uint32_t>(moves[i].to) + 1;
  }
  for (const Move& move : moves)
    if (!may_arrive(cells[index(move.to)], move, step)) return take_back(moves.size());
  for (const Move& move : moves)
    if (!move.copy) cells[index(move.to)].gained += cells[index(move.from)].gained + own(move.from);
  // Last, since whoever sends its part may get the whole meanwhile.
  for (const Move& move : moves)
    if (move.copy) cells[index(move.to)].gained = ranks_ - own(move.to);
  return true;
}

void SumForest::write_sets(uint32_t block, uint64_t* sets, size_t words) const {
  const Topology& topology = problem_.topology();
  const auto at = [&](NodeId node) -> const Cell& { return cells_[cell(block, node)]; };
  const auto add = [&](NodeId node, uint32_t rank) {
    sets[index(node) * words + rank / 64] |= uint64_t{1} << (rank % 64);
  };
  for (uint32_t r = 0; r < ranks_; ++r) {
    NodeId node = topology.endpoint(Rank{r});
    if (at(node).gained > 0) add(node, r);
    while (at(node).sent_to != 0) {
      node = NodeId{at(node).sent_to - 1};
      add(node, r);
    }
  }
  // What a copy has made whole.
  for (const NodeId node : topology.nodes()) {
    if (!is_whole(block, node) || at(node).gained == 0) continue;
    for (uint32_t r = 0; r < ranks_; ++r) add(node, r);
  }
}

}  // namespace quadrille
