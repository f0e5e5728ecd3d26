#include "quadrille/algorithms/placed_ranks/double_tree.h"

#include <algorithm>
#include <utility>

namespace quadrille {
namespace {

constexpr uint32_t kNoParent = UINT32_MAX;

// A binary tree over places 0 .. n-1 in which the children of an inner node are on both sides of it, and all even places
// are leaves; the last ones are hung up wherever that leaves them.
void hang(uint32_t begin, uint32_t end, uint32_t parent, std::vector<uint32_t>& parents) {
  if (begin >= end) return;
  // The largest power of two that leaves at most a full tree on the left: an odd place, unless there is one alone.
  uint32_t size = 1;
  while (2 * size <= end - begin) size *= 2;
  const uint32_t root = begin + size - 1;
  parents[root] = parent;
  hang(begin, root, root, parents);
  hang(root + 1, end, root, parents);
}

// Of those chunks that go down one of the trees.
uint32_t chunks_of(uint32_t tree, uint32_t chunks) { return (chunks + 1 - tree) / 2; }

}  // namespace

DoubleTree::DoubleTree(uint32_t ranks) : ranks_(ranks) {
  // Rank 0 feeds the roots of two trees over the others; the second one is the first, moved by a place.
  const uint32_t others = ranks - 1;
  std::array<std::vector<uint32_t>, 2> parents;
  std::vector<uint32_t> tree(others, kNoParent);
  hang(0, others, kNoParent, tree);
  for (uint32_t moved = 0; moved < 2; ++moved) {
    const auto rank = [&](uint32_t at) { return (at + moved) % others + 1; };
    parents[moved].assign(ranks, kNone);
    for (uint32_t place = 0; place < others; ++place)
      parents[moved][rank(place)] = tree[place] == kNoParent ? 0 : rank(tree[place]);
  }
  colour(parents);
  time(parents);
}

// Messages that end at one rank, or begin at one, have different colours: along each path, or circle, of them they take turns.
void DoubleTree::colour(const std::array<std::vector<uint32_t>, 2>& parents) {
  using Message = std::pair<uint32_t, uint32_t>;  // tree, rank that it comes to
  std::vector<std::vector<Message>> from(ranks_);
  for (uint32_t tree = 0; tree < 2; ++tree) {
    colour_[tree].assign(ranks_, kNone);
    for (uint32_t v = 1; v < ranks_; ++v) from[parents[tree][v]].push_back({tree, v});
  }
  std::vector<Message> left;
  const auto give = [&](const Message& message, uint32_t colour) {
    uint32_t& here = colour_[message.first][message.second];
    if (here != kNone) return;
    here = colour;
    left.push_back(message);
  };
  // The first chunk leaves in the first round.
  for (uint32_t v = 0; v < ranks_; ++v) {
    for (const Message& first : from[v]) {
      give(first, 0);
      while (!left.empty()) {
        const auto [tree, to] = left.back();
        left.pop_back();
        const uint32_t other = 1 - colour_[tree][to];
        give({1 - tree, to}, other);
        for (const Message& beside : from[parents[tree][to]])
          if (beside != Message{tree, to}) give(beside, other);
      }
    }
  }
}

// A chunk goes on in the next round of the colour.
void DoubleTree::time(const std::array<std::vector<uint32_t>, 2>& parents) {
  for (std::vector<Edge>& edges : into_) edges.assign(ranks_, {});
  for (uint32_t tree = 0; tree < 2; ++tree) {
    std::vector<uint32_t> first(ranks_, kNone);
    std::vector<uint32_t> way;
    for (uint32_t v = 1; v < ranks_; ++v) {
      for (uint32_t at = v; at != 0 && first[at] == kNone; at = parents[tree][at]) way.push_back(at);
      for (; !way.empty(); way.pop_back()) {
        const uint32_t to = way.back();
        const uint32_t parent = parents[tree][to];
        const uint32_t here = colour_[tree][to];
        const uint32_t soonest = parent == 0 ? 0 : first[parent] + 1;
        first[to] = soonest + (soonest % 2 == here ? 0 : 1);
        into_[here][to] = {parent, tree, first[to]};
      }
    }
  }
}

uint64_t DoubleTree::end_of_rounds(uint32_t chunks) const {
  uint64_t out = 0;
  for (const std::vector<Edge>& edges : into_)
    for (const Edge& edge : edges)
      if (const uint64_t count = chunks_of(edge.tree, chunks); edge.from != kNone && count > 0)
        out = std::max(out, edge.first + 2 * (count - 1) + 1);
  return out;
}

RankRounds DoubleTree::broadcast(uint32_t chunks) const {
  RankRounds out;
  const uint64_t end = end_of_rounds(chunks);
  for (uint64_t t = 0; t < end; ++t) {
    const std::vector<Edge>& edges = into_[t % 2];
    for (uint32_t v = 1; v < ranks_; ++v) {
      const Edge& edge = edges[v];
      if (edge.from == kNone || edge.first > t) continue;
      const auto number = static_cast<uint32_t>((t - edge.first) / 2);
      if (number >= chunks_of(edge.tree, chunks)) continue;
      const BlockId block{2 * number + edge.tree};
      out.send(edge.from, v, {&block, 1});
    }
    out.end_round();
  }
  return out;
}

// Of few chunks no message may be in some round.
uint64_t DoubleTree::num_rounds(uint32_t chunks) const {
  std::vector<int64_t> change(end_of_rounds(chunks) + 2, 0);  // of messages, from two rounds before
  for (const std::vector<Edge>& edges : into_) {
    for (const Edge& edge : edges) {
      const uint64_t count = edge.from == kNone ? 0 : chunks_of(edge.tree, chunks);
      if (count == 0) continue;
      ++change[edge.first];
      --change[edge.first + 2 * count];
    }
  }
  uint64_t out = 0;
  std::array<int64_t, 2> messages{0, 0};
  for (size_t t = 0; t < change.size(); ++t)
    if ((messages[t % 2] += change[t]) > 0) ++out;
  return out;
}

namespace {

RoundsOutline outline_of(const Problem& problem, uint64_t times) {
  const uint32_t ranks = problem.collective().num_ranks();
  if (ranks < 2) return {};
  const uint64_t rounds = times * DoubleTree(ranks).num_rounds(problem.collective().pieces());
  return {.rounds = rounds, .blocks = rounds};
}

}  // namespace

std::optional<RoundsOutline> double_tree_outline(const Problem& problem) { return outline_of(problem, 1); }
std::optional<RoundsOutline> double_tree_outline_both_ways(const Problem& problem) {
  return outline_of(problem, 2);
}

}  // namespace quadrille
