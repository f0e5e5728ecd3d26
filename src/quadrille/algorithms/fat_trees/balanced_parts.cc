#include "quadrille/algorithms/fat_trees/balanced_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/rational.h"

namespace quadrille {
namespace {

// A flow between bounds, by augmenting along shortest paths (Dinic): what every edge must carry at least is
// sent first, from an artificial source to an artificial sink, around which the rest must balance.
class BoundedFlow {
 public:
  explicit BoundedFlow(uint32_t nodes) : excess_(nodes, 0), first_(nodes + 2, kNone) {}

  // The index of the edge.
  uint32_t add(uint32_t from, uint32_t to, uint32_t least, uint32_t most) {
    excess_[to] += least;
    excess_[from] -= least;
    return add_edge(from, to, most - least);
  }

  // Whether there is a flow that balances at every node.
  bool solve() {
    const auto source = static_cast<uint32_t>(excess_.size());
    const uint32_t sink = source + 1;
    int64_t needed = 0;
    for (uint32_t v = 0; v < source; ++v) {
      if (excess_[v] > 0) add_edge(source, v, static_cast<uint32_t>(excess_[v]));
      if (excess_[v] < 0) add_edge(v, sink, static_cast<uint32_t>(-excess_[v]));
      needed += std::max<int64_t>(0, excess_[v]);
    }
    while (find_levels(source, sink)) {
      next_ = first_;
      while (const uint32_t sent = push(source, sink, UINT32_MAX)) needed -= sent;
    }
    return needed == 0;
  }

  // What goes over an edge beyond its least.
  [[nodiscard]] uint32_t carried(uint32_t edge) const { return edges_[edge ^ 1U].room; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Edge {
    uint32_t to;
    uint32_t room;
    uint32_t next;
  };

  uint32_t add_edge(uint32_t from, uint32_t to, uint32_t room) {
    const auto edge = static_cast<uint32_t>(edges_.size());
    edges_.push_back({to, room, first_[from]});
    first_[from] = edge;
    edges_.push_back({from, 0, first_[to]});
    first_[to] = edge + 1;
    return edge;
  }

  bool find_levels(uint32_t source, uint32_t sink) {
    level_.assign(first_.size(), kNone);
    level_[source] = 0;
    queue_.assign(1, source);
    for (size_t at = 0; at < queue_.size(); ++at) {
      for (uint32_t e = first_[queue_[at]]; e != kNone; e = edges_[e].next) {
        if (edges_[e].room == 0 || level_[edges_[e].to] != kNone) continue;
        level_[edges_[e].to] = level_[queue_[at]] + 1;
        queue_.push_back(edges_[e].to);
      }
    }
    return level_[sink] != kNone;
  }

  // Depth: the levels of a shortest path, a few times those of the tree.
  uint32_t push(uint32_t node, uint32_t sink, uint32_t most) {
    if (node == sink) return most;
    for (uint32_t& e = next_[node]; e != kNone; e = edges_[e].next) {
      Edge& edge = edges_[e];
      if (edge.room == 0 || level_[edge.to] != level_[node] + 1) continue;
      const uint32_t sent = push(edge.to, sink, std::min(most, edge.room));
      if (sent == 0) continue;
      edge.room -= sent;
      edges_[e ^ 1U].room += sent;
      return sent;
    }
    return 0;
  }

  std::vector<int64_t> excess_;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> level_;
  std::vector<uint32_t> queue_;
  std::vector<Edge> edges_;
};

}  // namespace

BalancedParts::BalancedParts(std::vector<uint32_t> block_sizes, uint32_t copies, uint64_t parts)
    : block_sizes_(std::move(block_sizes)),
      parts_(parts),
      left_(parts),
      total_(uint64_t{block_sizes_.back()} * block_sizes_.back() * copies),
      remaining_(size_t{block_sizes_.back()} * block_sizes_.back(), copies) {}

std::vector<BalancedParts::Pair> BalancedParts::next() {
  const uint32_t m = block_sizes_.back();
  const uint64_t end = static_cast<uint64_t>(UInt128{total_} * (parts_ - left_ + 1) / parts_);
  const auto size = static_cast<uint32_t>(end - taken_);

  // Nodes: for each side the blocks, those of one size after those of the next smaller one.
  std::vector<uint32_t> first_of{0};
  for (const uint32_t block : block_sizes_) first_of.push_back(first_of.back() + m / block);
  const uint32_t side = first_of.back();
  BoundedFlow flow(2 * side);
  flow.add(2 * side - 1, side - 1, size, size);

  std::vector<uint64_t> from(m, 0);  // what the blocks of the size in question have left
  std::vector<uint64_t> to(m, 0);
  std::vector<uint32_t> edges(remaining_.size());
  for (uint32_t u = 0; u < m; ++u) {
    for (uint32_t v = 0; v < m; ++v) {
      from[u] += remaining(u, v);
      to[v] += remaining(u, v);
      edges[size_t{u} * m + v] = flow.add(u, side + v, 0, remaining(u, v));
    }
  }
  const auto floor_of = [this](uint64_t count) { return static_cast<uint32_t>(count / left_); };
  const auto ceil_of = [this](uint64_t count) { return static_cast<uint32_t>((count + left_ - 1) / left_); };
  for (size_t s = 0; s + 1 < block_sizes_.size(); ++s) {
    const uint32_t ratio = block_sizes_[s + 1] / block_sizes_[s];
    std::vector<uint64_t> larger_from(m / block_sizes_[s + 1], 0);
    std::vector<uint64_t> larger_to(m / block_sizes_[s + 1], 0);
    for (uint32_t b = 0; b < m / block_sizes_[s]; ++b) {
      const uint32_t small = first_of[s] + b;
      const uint32_t large = first_of[s + 1] + b / ratio;
      flow.add(large, small, floor_of(from[b]), ceil_of(from[b]));
      flow.add(side + small, side + large, floor_of(to[b]), ceil_of(to[b]));
      larger_from[b / ratio] += from[b];
      larger_to[b / ratio] += to[b];
    }
    from = std::move(larger_from);
    to = std::move(larger_to);
  }
  const bool feasible = flow.solve();
  QUADRILLE_CHECK(feasible, fmt::format("{} nodes a side, {} parts left", m, left_));

  std::vector<Pair> part;
  part.reserve(size);
  for (uint32_t u = 0; u < m; ++u) {
    for (uint32_t v = 0; v < m; ++v) {
      for (uint32_t sent = flow.carried(edges[size_t{u} * m + v]); sent > 0; --sent)
        part.push_back({u, v, --remaining(u, v)});
    }
  }
  taken_ = end;
  --left_;
  return part;
}

}  // namespace quadrille
