#include "quadrille/algorithms/placed_ranks/routed/forwarded_packets.h"

#include <algorithm>

namespace quadrille {

ForwardedPackets::ForwardedPackets(const Problem& problem, Direction direction)
    : topology_(problem.topology()),
      collective_(problem.collective()),
      direction_(direction),
      moves_(problem.collective().flow() == Flow::kMove),
      carries_many_(carries_many(problem.model())),
      blocks_(problem.collective().num_blocks()),
      machine_(problem),
      since_(moves_ ? blocks_ : blocks_ * topology_.num_nodes(), moves_ ? 0 : kNotThere),
      has_begun_(blocks_, 0),
      heard_(direction == kBackwards ? since_.size() : 0, 0) {}

// Who has the block first, in the order of messages.
NodeId ForwardedPackets::giver(ArcId arc) const {
  return direction_ == kForwards ? topology_.tail(arc) : topology_.head(arc);
}

NodeId ForwardedPackets::taker(ArcId arc) const {
  return direction_ == kForwards ? topology_.head(arc) : topology_.tail(arc);
}

bool ForwardedPackets::send(std::span<const ArcId> path, std::span<const BlockId> blocks) {
  std::vector<ArcId> way(path.begin(), path.end());
  if (moves_) {
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (carries_many_ && b > 0) break;
      const std::span<const BlockId> together = carries_many_ ? blocks : blocks.subspan(b, 1);
      moves_later_.push_back({way, {together.begin(), together.end()}, {}});
    }
    return true;
  }
  if (direction_ == kBackwards) std::ranges::reverse(way);
  if (carries_many_) return copy(way, blocks);
  for (size_t b = 0; b < blocks.size(); ++b)
    if (!copy(way, blocks.subspan(b, 1))) return false;
  return true;
}

// Where a block comes by again, it waits in between; and what comes by where it belongs stays there.
void ForwardedPackets::cut_circles() {
  struct Hopped {
    NodeId at;
    char* is_taken;
  };
  std::vector<std::vector<Hopped>> ways(blocks_);
  for (Move& move : moves_later_) {
    move.is_taken.assign(move.path.size() * move.blocks.size(), 0);
    for (size_t b = 0; b < move.blocks.size(); ++b) {
      std::vector<Hopped>& way = ways[index(move.blocks[b])];
      const NodeId end = topology_.endpoint(collective_.destination(move.blocks[b]));
      if (way.empty()) way.push_back({topology_.tail(move.path.front()), nullptr});
      for (size_t h = 0; h < move.path.size() && way.back().at != end; ++h) {
        const NodeId to = topology_.head(move.path[h]);
        const auto before = std::ranges::find(way, to, &Hopped::at);
        if (before == way.end()) {
          way.push_back({to, &move.is_taken[h * move.blocks.size() + b]});
          *way.back().is_taken = 1;
          continue;
        }
        while (way.back().at != to) {
          *way.back().is_taken = 0;
          way.pop_back();
        }
      }
    }
  }
}

void ForwardedPackets::schedule_moves() {
  cut_circles();
  std::vector<BlockId> together;
  for (const Move& move : moves_later_) {
    for (size_t h = 0; h < move.path.size(); ++h) {
      together.clear();
      uint32_t earliest = 0;
      for (size_t b = 0; b < move.blocks.size(); ++b) {
        if (move.is_taken[h * move.blocks.size() + b] == 0) continue;
        together.push_back(move.blocks[b]);
        earliest = std::max(earliest, since(giver(move.path[h]), move.blocks[b]));
      }
      if (!together.empty()) hop(move.path[h], together, earliest);
    }
  }
  moves_later_.clear();
}

bool ForwardedPackets::copy(std::span<const ArcId> path, std::span<const BlockId> blocks) {
  const NodeId from = giver(path.front());
  const NodeId to = taker(path.back());
  for (const BlockId block : blocks) {
    if (has_begun_[index(block)] == 0) since(from, block) = 0;
    has_begun_[index(block)] = 1;
    if (since(from, block) == kNotThere) return false;
    if (direction_ == kForwards) continue;
    char& heard = heard_[index(to) * blocks_ + index(block)];
    if (heard != 0 || since(to, block) == 0) return false;  // it would be sent twice
    if (since(from, block) != 0 && heard_[index(from) * blocks_ + index(block)] == 0) return false;
    heard = 1;
  }
  // From the last node on the way that has a block, hop by hop.
  std::vector<BlockId> together;
  std::vector<size_t> begins;
  for (const BlockId block : blocks) {
    size_t begin = path.size();
    while (begin > 0 && since(taker(path[begin - 1]), block) == kNotThere) --begin;
    begins.push_back(begin);
  }
  for (size_t h = 0; h < path.size(); ++h) {
    together.clear();
    uint32_t earliest = 0;
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (begins[b] > h) continue;
      together.push_back(blocks[b]);
      earliest = std::max(earliest, since(giver(path[h]), blocks[b]));
    }
    if (!together.empty()) hop(path[h], together, earliest);
  }
  return true;
}

void ForwardedPackets::hop(ArcId arc, std::span<const BlockId> blocks, size_t earliest) {
  const std::span<const ArcId> path(&arc, 1);
  const size_t at = machine_.first_free(path, earliest);
  machine_.use(path, at);
  const auto first = static_cast<uint32_t>(carried_.size());
  carried_.insert(carried_.end(), blocks.begin(), blocks.end());
  hops_.push_back({static_cast<uint32_t>(at), arc, first, static_cast<uint32_t>(carried_.size())});
  for (const BlockId block : blocks) since(taker(arc), block) = static_cast<uint32_t>(at + 1);
  steps_ = std::max(steps_, static_cast<uint32_t>(at + 1));
}

void ForwardedPackets::push(TransferOp op, StepSink& sink) {
  schedule_moves();
  std::vector<uint32_t> next(steps_ + 1, 0);
  const auto step_of = [&](const Hop& hop) {
    return direction_ == kForwards ? hop.step : steps_ - 1 - hop.step;
  };
  for (const Hop& hop : hops_) ++next[step_of(hop) + 1];
  for (size_t s = 0; s < steps_; ++s) next[s + 1] += next[s];
  const std::vector<uint32_t> begin = next;
  std::vector<uint32_t> by_step(hops_.size());
  for (uint32_t h = 0; h < hops_.size(); ++h) by_step[next[step_of(hops_[h])]++] = h;
  StepBuilder step;
  for (size_t s = 0; s < steps_; ++s) {
    for (uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
      const Hop& hop = hops_[by_step[i]];
      const std::span<const BlockId> blocks =
          std::span(carried_).subspan(hop.first_block, hop.end_block - hop.first_block);
      if (blocks.size() == 1) {
        step.add(hop.arc, blocks.front(), op);
      } else {
        step.add(std::span(&hop.arc, 1), blocks, op);
      }
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
