#include "quadrille/algorithms/trees/balanced_tree.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kFree = UINT32_MAX;
constexpr uint32_t kRoot = UINT32_MAX - 1;

// A free node that touches a region, and how it stood when it was noted.
struct Candidate {
  uint32_t free_neighbours;
  uint32_t hops;
  NodeId node;
  friend bool operator>(const Candidate& a, const Candidate& b) {
    return std::tie(a.free_neighbours, a.hops, a.node) > std::tie(b.free_neighbours, b.hops, b.node);
  }
};
using Candidates = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

struct Region {
  NodeId root{};
  uint32_t size = 0;
  Candidates candidates;  // out of date in part: checked when taken
};

class Growth {
 public:
  Growth(const Topology& topology, NodeId root)
      : topology_(topology),
        hops_(distances_from(topology, root)),
        region_of_(topology.num_nodes(), kFree),
        free_neighbours_(topology.num_nodes(), 0) {
    const uint32_t degree = topology.out_degree(root);
    limit_ = degree == 0 ? 0 : (topology.num_nodes() - 1 + degree - 1) / degree;
    regions_.resize(degree);
    region_of_[index(root)] = kRoot;
    uint32_t r = 0;
    for (const ArcId arc : topology.arcs_from(root)) {
      regions_[r].root = topology.head(arc);
      regions_[r].size = 1;
      region_of_[index(topology.head(arc))] = r++;
    }
    free_ = topology.num_nodes() - 1 - degree;
    for (const NodeId v : topology.nodes()) {
      for (const ArcId arc : topology.arcs_from(v)) {
        if (region_of_[index(topology.head(arc))] == kFree) ++free_neighbours_[index(v)];
      }
    }
    for (const Region& region : regions_) note_neighbours(region.root);
  }

  // The region of every node, by number; the root is in none.
  std::vector<uint32_t> run() {
    grow();
    while (free_ > 0) {
      if (!repair()) ++limit_;
      grow();
    }
    return std::move(region_of_);
  }

 private:
  // A node of a region that takes in another one, and from which region that one comes.
  struct Entry {
    NodeId node;
    uint32_t from;  // kFree: the node that was left over
  };

  void occupy(NodeId node, uint32_t region) {
    region_of_[index(node)] = region;
    --free_;
    for (const ArcId arc : topology_.arcs_from(node)) {
      const NodeId next = topology_.head(arc);
      --free_neighbours_[index(next)];
      if (region_of_[index(next)] != kFree) continue;
      // Its place among the candidates of all regions that it touches is another now.
      for (const ArcId beside : topology_.arcs_from(next)) {
        const uint32_t r = region_of_[index(topology_.head(beside))];
        if (r < regions_.size()) note(r, next);
      }
    }
    ++regions_[region].size;
  }

  void note(uint32_t region, NodeId node) {
    regions_[region].candidates.push({free_neighbours_[index(node)], hops_[index(node)], node});
  }

  // The free neighbours of a node that is new in its region.
  void note_neighbours(NodeId node) {
    for (const ArcId arc : topology_.arcs_from(node)) {
      const NodeId next = topology_.head(arc);
      if (region_of_[index(next)] == kFree) note(region_of_[index(node)], next);
    }
  }

  [[nodiscard]] bool touches(NodeId node, uint32_t region) const {
    for (const ArcId arc : topology_.arcs_from(node)) {
      if (region_of_[index(topology_.head(arc))] == region) return true;
    }
    return false;
  }

  // The free node that the region should take, if it touches any.
  std::optional<NodeId> best_candidate(uint32_t region) {
    Candidates& candidates = regions_[region].candidates;
    while (!candidates.empty()) {
      const Candidate c = candidates.top();
      candidates.pop();
      if (region_of_[index(c.node)] == kFree && free_neighbours_[index(c.node)] == c.free_neighbours &&
          touches(c.node, region)) {
        return c.node;
      }
    }
    return std::nullopt;
  }

  void grow() {
    std::set<std::pair<uint32_t, uint32_t>> growing;  // size, region
    for (uint32_t r = 0; r < regions_.size(); ++r) {
      if (regions_[r].size < limit_) growing.insert({regions_[r].size, r});
    }
    while (!growing.empty()) {
      const uint32_t r = growing.begin()->second;
      growing.erase(growing.begin());
      const std::optional<NodeId> node = best_candidate(r);
      if (!node) continue;
      occupy(*node, r);
      if (regions_[r].size < limit_) growing.insert({regions_[r].size, r});
    }
  }

  // Fits in one node that is left over; false if no chain of moves does.
  bool repair() {
    for (const NodeId v : topology_.nodes()) {
      if (region_of_[index(v)] == kFree && fit_in(v)) return true;
    }
    return false;
  }

  bool fit_in(NodeId left_over) {
    std::vector<std::optional<Entry>> entry(regions_.size());
    std::vector<uint32_t> queue;
    const auto reach = [&](NodeId node, uint32_t from) {
      for (const ArcId arc : topology_.arcs_from(node)) {
        const uint32_t to = region_of_[index(topology_.head(arc))];
        if (to >= regions_.size() || entry[to]) continue;
        entry[to] = Entry{node, from};
        queue.push_back(to);
      }
    };
    reach(left_over, kFree);
    for (size_t i = 0; i < queue.size(); ++i) {
      const uint32_t region = queue[i];
      if (regions_[region].size < limit_) {
        move_along(entry, region);
        return true;
      }
      for (const NodeId node : removable(region, entry[region]->node)) reach(node, region);
    }
    return false;
  }

  void move_along(const std::vector<std::optional<Entry>>& entry, uint32_t last) {
    for (uint32_t to = last; to != kFree; to = entry[to]->from) {
      const Entry& e = *entry[to];
      if (e.from == kFree) {
        occupy(e.node, to);
      } else {
        region_of_[index(e.node)] = to;
        ++regions_[to].size;
        --regions_[e.from].size;
        note_neighbours(e.node);
      }
    }
  }

  // The nodes of the region, but its root, without which it and the newcomer hang together: those that are no
  // cut vertices, by depth-first search.
  std::vector<NodeId> removable(uint32_t region, NodeId newcomer) {
    struct Visit {
      NodeId node;
      NodeId parent;
      uint32_t next_arc;
    };
    if (seen_.empty()) {
      seen_.assign(topology_.num_nodes(), 0);
      low_.assign(topology_.num_nodes(), 0);
    }
    std::vector<Visit> stack{{regions_[region].root, kNoNode, 0}};
    std::vector<NodeId> order{stack.front().node};
    std::set<NodeId> cut{regions_[region].root, newcomer};
    seen_[index(order.front())] = low_[index(order.front())] = 1;
    while (!stack.empty()) {
      Visit& top = stack.back();
      const NodeId v = top.node;
      if (top.next_arc == topology_.out_degree(v)) {
        const NodeId parent = top.parent;
        stack.pop_back();
        if (parent == kNoNode) break;
        low_[index(parent)] = std::min(low_[index(parent)], low_[index(v)]);
        if (low_[index(v)] >= seen_[index(parent)]) cut.insert(parent);
        continue;
      }
      const NodeId next = topology_.head(topology_.arcs_from(v)[top.next_arc++]);
      if (region_of_[index(next)] != region && next != newcomer) continue;
      if (seen_[index(next)] == 0) {
        order.push_back(next);
        seen_[index(next)] = low_[index(next)] = static_cast<uint32_t>(order.size());
        stack.push_back({next, v, 0});
      } else if (next != top.parent) {
        low_[index(v)] = std::min(low_[index(v)], seen_[index(next)]);
      }
    }
    std::vector<NodeId> out;
    for (const NodeId v : order) {
      seen_[index(v)] = 0;
      if (!cut.contains(v)) out.push_back(v);
    }
    return out;
  }

  const Topology& topology_;
  std::vector<uint32_t> hops_;
  std::vector<uint32_t> region_of_;
  std::vector<uint32_t> free_neighbours_;
  std::vector<Region> regions_;
  uint32_t limit_ = 0;
  uint32_t free_ = 0;
  std::vector<uint32_t> seen_;  // of removable(): when a node was met, from 1; 0 if not
  std::vector<uint32_t> low_;
};

}  // namespace

SpanningTree balanced_tree(const Topology& topology, NodeId root) {
  count_work(Work::kSearching);
  QUADRILLE_CHECK(!topology.is_directed() && !topology.has_routers(), topology.name());
  Growth growth(topology, root);
  const std::vector<uint32_t> region_of = growth.run();
  // Inside its region a node hangs as near to the region's root as it can.
  std::vector<ArcId> arc(topology.num_nodes(), kNoArc);
  std::vector<NodeId> queue;
  for (const ArcId first : topology.arcs_from(root)) {
    arc[index(topology.head(first))] = first;
    queue.push_back(topology.head(first));
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const NodeId v = queue[i];
    for (const ArcId a : topology.arcs_from(v)) {
      const NodeId w = topology.head(a);
      if (w == root || arc[index(w)] != kNoArc || region_of[index(w)] != region_of[index(v)]) continue;
      arc[index(w)] = a;
      queue.push_back(w);
    }
  }
  return tree_of_arcs(topology, root, arc);
}

}  // namespace quadrille
