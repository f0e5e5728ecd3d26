#include "quadrille/verify/holdings/sum_forest.h"

#include <algorithm>

namespace quadrille {
namespace {

// In sent_to, while a step is looked at: a copy comes.
constexpr uint32_t kCopyComes = uint32_t{1} << 31U;

}  // namespace

SumForest::SumForest(const Problem& problem)
    : problem_(problem), ranks_(problem.collective().num_ranks()), own_(problem.topology().num_nodes(), 0) {
  for (const NodeId node : problem.topology().nodes())
    own_[index(node)] = problem.topology().rank(node) ? 1 : 0;
}

bool SumForest::may_send(std::span<const Cell> block, const Move& move) const {
  const Cell& sender = block[index(move.from)];
  if (move.copy) return is_whole(block, move.from) && !is_whole(block, move.to);
  return sender.sent_to == 0 && !is_whole(block, move.from) && sender.gained + own(move.from) > 0;
}

// A step reads the state before it: all that is sent is marked before anything arrives, so that nothing is added where
// something was sent, in this step or before, nor where a copy comes. Who has not sent its part gets no whole.
bool SumForest::take(std::span<Cell> block, std::span<const Move> moves) const {
  if (block.size() >= kCopyComes) return false;
  const auto marked = [&](const Move& move) -> uint32_t& {
    return block[index(move.copy ? move.to : move.from)].sent_to;
  };
  const auto take_back = [&](size_t count) {
    for (const Move& move : moves.first(count)) marked(move) = move.copy ? marked(move) & ~kCopyComes : 0;
    return false;
  };
  for (size_t i = 0; i < moves.size(); ++i) {
    const Move& move = moves[i];
    if (!may_send(block, move) || (marked(move) & kCopyComes) != 0) return take_back(i);
    marked(move) = move.copy ? marked(move) | kCopyComes : static_cast<uint32_t>(move.to) + 1;
  }
  for (const Move& move : moves) {
    if (move.copy) continue;
    if (block[index(move.to)].sent_to != 0 || is_whole(block, move.to)) return take_back(moves.size());
  }
  for (const Move& move : moves) {
    Cell& receiver = block[index(move.to)];
    if (move.copy) {
      receiver = {receiver.sent_to & ~kCopyComes, ranks_ - own(move.to)};
    } else {
      receiver.gained += block[index(move.from)].gained + own(move.from);
    }
  }
  return true;
}

void SumForest::write_sets(std::span<const Cell> block, uint64_t* sets, size_t words) const {
  const auto at = [&](NodeId node) -> const Cell& { return block[index(node)]; };
  const auto add = [&](NodeId node, uint32_t rank) {
    sets[index(node) * words + rank / 64] |= uint64_t{1} << (rank % 64);
  };
  for (uint32_t r = 0; r < ranks_; ++r) {
    NodeId node = problem_.topology().endpoint(Rank{r});
    if (at(node).gained > 0) add(node, r);
    while (at(node).sent_to != 0) {
      node = NodeId{at(node).sent_to - 1};
      add(node, r);
    }
  }
  // What a copy has made whole.
  for (const NodeId node : problem_.topology().nodes()) {
    if (!is_whole(block, node) || at(node).gained == 0) continue;
    for (uint32_t r = 0; r < ranks_; ++r) add(node, r);
  }
}

}  // namespace quadrille
