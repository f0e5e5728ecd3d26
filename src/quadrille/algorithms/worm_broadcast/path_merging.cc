#include "quadrille/algorithms/worm_broadcast/path_merging.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"
#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Arcs looked at, in all, before the best so far is taken.
constexpr uint64_t kMostWork = uint64_t{1} << 25U;
constexpr uint32_t kMostRestarts = 12;

// One step backwards.
struct Merge {
  std::vector<WormPath> worms{};
  std::vector<NodeId> left{};
  size_t hops = 0;
};

class Merging {
 public:
  Merging(const Topology& topology, NodeId root, Ports send, bool shared)
      : topology_(topology),
        root_(root),
        ports_(send.count),
        shared_(shared),
        paths_(topology, shared, work_) {
    place_.assign(topology.num_nodes(), SIZE_MAX);
    for (const NodeId v : topology.endpoints()) take_into_crowd(v);
    if (place_[index(root)] == SIZE_MAX) take_into_crowd(root);
    for (const ArcId arc : topology.arcs())
      if (topology.reverse(arc) == kNoArc) two_way_ = false;
  }

  BroadcastWorms best() {
    const uint32_t least = fewest();
    BroadcastWorms best;
    for (uint32_t start = 0; start < kMostRestarts; ++start) {
      Rng rng(start);
      BroadcastWorms found = merge_all(rng, start);
      if (best.empty() || found.size() < best.size()) best = std::move(found);
      if (best.size() <= least || work_ > kMostWork) break;
    }
    std::reverse(best.begin(), best.end());
    return best;
  }

 private:
  void take_into_crowd(NodeId node) {
    place_[index(node)] = crowd_.size();
    crowd_.push_back(node);
    rows_.push_back(distances_from(topology_, node));
  }

  [[nodiscard]] uint32_t distance(NodeId from, NodeId to) const {
    return rows_[place_[index(from)]][index(to)];
  }

  [[nodiscard]] uint32_t out_links(NodeId node) const {
    if (shared_) return ports_ == 0 ? topology_.num_endpoints() : ports_;
    return links_at_once(topology_, node, ports_);
  }

  [[nodiscard]] uint32_t most_sent() const {
    uint32_t out = 1;
    for (const NodeId v : topology_.endpoints()) out = std::max(out, out_links(v));
    return out;
  }

  [[nodiscard]] uint32_t fewest() const {
    uint32_t steps = 0;
    for (uint64_t reached = 1; reached < topology_.num_endpoints(); reached *= uint64_t{most_sent()} + 1)
      ++steps;
    return steps;
  }

  BroadcastWorms merge_all(Rng& rng, uint32_t start) {
    BroadcastWorms out;
    std::vector<NodeId> crowd = crowd_;
    while (crowd.size() > 1) {
      Merge merge = best_merge(crowd, rng, start);
      QUADRILLE_CHECK(!merge.worms.empty(), topology_.name());
      out.push_back(std::move(merge.worms));
      crowd = std::move(merge.left);
    }
    return out;
  }

  Merge best_merge(const std::vector<NodeId>& crowd, Rng& rng, uint32_t start) {
    std::optional<Merge> best;
    const auto take = [&](Merge merge) {
      if (!best || std::pair(merge.left.size(), merge.hops) < std::pair(best->left.size(), best->hops))
        best = std::move(merge);
    };
    const uint32_t most = std::min(most_sent(), static_cast<uint32_t>(crowd.size() - 1));
    const uint32_t trials = start == 0 ? 1 : 3;
    for (uint32_t size = most; size > 0; size = size > 3 ? size / 2 : size - 1) {
      for (uint32_t trial = 0; trial < trials; ++trial) {
        take(merge_clusters(crowd, size, rng, start + trial > 0));
        if (work_ > kMostWork) break;
      }
    }
    return *std::move(best);
  }

  // Clusters of near nodes: all but one of each want to go first.
  Merge merge_clusters(const std::vector<NodeId>& crowd, uint32_t size, Rng& rng, bool shuffled) {
    std::vector<NodeId> order = crowd;
    if (shuffled) {
      rng.shuffle(order);
    } else {
      std::stable_sort(order.begin(), order.end(),
                       [&](NodeId a, NodeId b) { return distance(root_, a) > distance(root_, b); });
    }
    std::vector<char> taken(topology_.num_nodes(), 0);
    std::vector<NodeId> going;
    std::vector<NodeId> centres;
    std::vector<NodeId> near;
    for (const NodeId first : order) {
      if (taken[index(first)] != 0) continue;
      near.clear();
      for (const NodeId v : crowd)
        if (taken[index(v)] == 0) near.push_back(v);
      std::stable_sort(near.begin(), near.end(),
                       [&](NodeId a, NodeId b) { return distance(first, a) < distance(first, b); });
      near.resize(std::min<size_t>(near.size(), size_t{size} + 1));
      const NodeId centre = centre_of(near);
      for (const NodeId v : near) {
        taken[index(v)] = 1;
        if (v != centre) going.push_back(v);
      }
      centres.push_back(centre);
    }
    Merge clusters = merge(crowd, going, centres);
    if (!two_way_ || size > 1) return clusters;
    Merge pairs = merge_pairs(crowd);
    return pairs.left.size() < clusters.left.size() ? std::move(pairs) : std::move(clusters);
  }

  [[nodiscard]] NodeId centre_of(const std::vector<NodeId>& near) const {
    NodeId best = near.front();
    uint64_t least = UINT64_MAX;
    for (const NodeId v : near) {
      if (v == root_) return v;
      uint64_t sum = 0;
      for (const NodeId w : near) sum += distance(v, w);
      if (sum < least) {
        least = sum;
        best = v;
      }
    }
    return best;
  }

  // Along a tree from the root, each two that meet are a pair, and their paths share no link; the one that is
  // further from the root goes.
  Merge merge_pairs(const std::vector<NodeId>& crowd) {
    std::vector<NodeId> order;
    for (const NodeId v : topology_.nodes()) order.push_back(v);
    const std::vector<uint32_t>& hops = rows_[place_[index(root_)]];
    std::stable_sort(order.begin(), order.end(),
                     [&](NodeId a, NodeId b) { return hops[index(a)] > hops[index(b)]; });
    std::vector<NodeId> waits(topology_.num_nodes(), kNoNode);
    for (const NodeId v : crowd) waits[index(v)] = v;
    std::vector<NodeId> going;
    for (const NodeId v : order) {
      const NodeId here = waits[index(v)];
      if (here == kNoNode || v == root_) continue;
      NodeId parent = kNoNode;
      for (const ArcId arc : topology_.arcs_from(v)) {
        if (hops[index(topology_.head(arc))] + 1 != hops[index(v)]) continue;
        parent = topology_.head(arc);
        break;
      }
      NodeId& there = waits[index(parent)];
      if (there == kNoNode) {
        there = here;
      } else {
        const bool keeps = there == root_ || hops[index(there)] <= hops[index(here)];
        going.push_back(keeps ? here : there);
        there = kNoNode;
      }
    }
    std::vector<char> goes(topology_.num_nodes(), 0);
    for (const NodeId v : going) goes[index(v)] = 1;
    std::vector<NodeId> centres;
    for (const NodeId v : crowd)
      if (goes[index(v)] == 0) centres.push_back(v);
    return merge(crowd, going, centres);
  }

  // Each goes that can: those who want to first, from those who do not; then anyone, from anyone.
  Merge merge(const std::vector<NodeId>& crowd, const std::vector<NodeId>& going,
              const std::vector<NodeId>& centres) {
    paths_.clear();
    for (const NodeId v : crowd) paths_.let_know(v);
    std::vector<NodeId> stay;
    for (const NodeId v : going)
      if (!paths_.tell(v, centres, ports_)) stay.push_back(v);
    stay.insert(stay.end(), centres.begin(), centres.end());
    for (const NodeId v : stay)
      if (v != root_ && !paths_.sends(v)) static_cast<void>(paths_.tell(v, crowd, ports_));
    Merge out;
    out.worms = paths_.worms(crowd);
    std::vector<char> gone(topology_.num_nodes(), 0);
    for (const WormPath& worm : out.worms) {
      gone[index(topology_.head(worm.back()))] = 1;
      out.hops += worm.size();
    }
    for (const NodeId v : crowd)
      if (gone[index(v)] == 0) out.left.push_back(v);
    return out;
  }

  const Topology& topology_;
  NodeId root_;
  uint32_t ports_;
  bool shared_;
  uint64_t work_ = 0;
  CrowdPaths paths_;
  std::vector<NodeId> crowd_{};                // all endpoints, and the root
  std::vector<std::vector<uint32_t>> rows_{};  // of distances, for each of them
  std::vector<size_t> place_{};                // of a node, among them
  bool two_way_ = true;
};

}  // namespace

BroadcastWorms merge_along_paths(const Topology& topology, NodeId root, Ports send, bool shared) {
  return Merging(topology, root, send, shared).best();
}

}  // namespace quadrille
