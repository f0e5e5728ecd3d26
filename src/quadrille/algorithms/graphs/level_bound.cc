#include "quadrille/algorithms/graphs/level_bound.h"

#include <algorithm>
#include <span>
#include <vector>

#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Which nodes are so far from some endpoint, by distance.
class Reached {
 public:
  explicit Reached(const Topology& topology) {
    for_each_distance_row(topology, [&](NodeId from, std::span<const uint32_t> hops) {
      uint32_t farthest = 0;
      uint64_t many = 0;
      for (const NodeId to : topology.endpoints()) {
        const uint32_t away = hops[index(to)];
        if (away > farthest) many = 0;
        farthest = std::max(farthest, away);
        if (away == farthest && to != from) ++many;
      }
      if (farthest > diameter_) far_pairs_ = 0;
      diameter_ = std::max(diameter_, farthest);
      if (farthest == diameter_) far_pairs_ += many;
      for (size_t v = 0; v < hops.size(); ++v) {
        if (hops[v] >= at_.size()) at_.resize(hops[v] + 1, std::vector<bool>(hops.size(), false));
        at_[hops[v]][v] = true;
      }
    });
  }

  [[nodiscard]] uint32_t diameter() const { return diameter_; }
  // Pairs that are as far apart as that.
  [[nodiscard]] uint64_t far_pairs() const { return far_pairs_; }
  // Whether the node is at some distance from `least` to `most`.
  [[nodiscard]] bool is_between(NodeId v, uint32_t least, uint32_t most) const {
    for (uint32_t d = least; d <= most && d < at_.size(); ++d)
      if (at_[d][index(v)]) return true;
    return false;
  }

 private:
  uint32_t diameter_ = 0;
  uint64_t far_pairs_ = 0;
  std::vector<std::vector<bool>> at_{};
};

}  // namespace

// A block from x to y at distance D is, before level h, at most h - 1 hops from x, and after level h + s, where s levels are more
// than D, at least h: within these levels it crosses a link from distance h - 1 to h, whose head is at most D - h + s from y. Such
// levels together last as long as the links in question take for all of these blocks.
uint64_t level_rounds_at_least(const Problem& problem, uint32_t levels) {
  const Topology& topology = problem.topology();
  const Reached reached(topology);
  const uint32_t diameter = reached.diameter();
  if (diameter == 0 || levels < diameter) return 0;
  const uint32_t slack = levels - diameter;
  uint64_t rounds = 0;
  for (uint32_t hop = 1; hop <= diameter; hop += slack + 1) {
    uint64_t links = 0;
    for (const ArcId arc : topology.arcs()) {
      if (!reached.is_between(topology.tail(arc), hop - 1, hop - 1)) continue;
      // Distances to an endpoint, not from it, are others where links go one way.
      if (topology.is_directed() ||
          reached.is_between(topology.head(arc), diameter - hop, diameter - hop + slack))
        links += topology.capacity(arc);
    }
    rounds += (reached.far_pairs() - 1) / links + 1;
  }
  return rounds;
}

}  // namespace quadrille
