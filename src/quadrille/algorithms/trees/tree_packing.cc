#include "quadrille/algorithms/trees/tree_packing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

// Arcs that are left, and whether enough disjoint paths lead over them.
class Rest {
 public:
  Rest(const Topology& topology, NodeId root) : net_(topology), root_(root), into_(topology.num_nodes()) {
    for (const ArcId arc : net_.arcs()) {
      left_.push_back(net_.capacity(arc));
      into_[index(net_.head(arc))].push_back(arc);
    }
    flow_.assign(left_.size(), 0);
    over_.resize(net_.num_nodes());
    seen_.resize(net_.num_nodes(), 0);
  }

  [[nodiscard]] uint32_t left(ArcId arc) const { return left_[index(arc)]; }
  void take(ArcId arc) { --left_[index(arc)]; }
  void give_back(ArcId arc) { ++left_[index(arc)]; }

  [[nodiscard]] bool reaches(NodeId v, uint32_t paths) {
    for (const ArcId arc : used_) flow_[index(arc)] = 0;
    used_.clear();
    for (uint32_t i = 0; i < paths; ++i) {
      if (!add_path(v)) return false;
    }
    return true;
  }

 private:
  // From v back to the root.
  bool add_path(NodeId v) {
    ++look_;
    queue_.assign(1, v);
    seen_[index(v)] = look_;
    for (size_t i = 0; i < queue_.size() && seen_[index(root_)] != look_; ++i) {
      const NodeId at = queue_[i];
      const auto reach = [&](NodeId w, ArcId arc, bool back) {
        if (seen_[index(w)] == look_) return;
        seen_[index(w)] = look_;
        over_[index(w)] = {arc, back};
        queue_.push_back(w);
      };
      for (const ArcId arc : into_[index(at)]) {
        if (flow_[index(arc)] < left_[index(arc)]) reach(net_.tail(arc), arc, false);
      }
      for (const ArcId arc : net_.arcs_from(at)) {
        if (flow_[index(arc)] > 0) reach(net_.head(arc), arc, true);
      }
    }
    if (seen_[index(root_)] != look_) return false;
    for (NodeId at = root_; at != v;) {
      const auto [arc, back] = over_[index(at)];
      if (back) {
        --flow_[index(arc)];
        at = net_.tail(arc);
      } else {
        ++flow_[index(arc)];
        used_.push_back(arc);
        at = net_.head(arc);
      }
    }
    return true;
  }

  const Topology& net_;
  NodeId root_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<uint32_t> left_;
  std::vector<uint32_t> flow_;
  std::vector<ArcId> used_;
  std::vector<std::pair<ArcId, bool>> over_;
  std::vector<uint32_t> seen_;
  uint32_t look_ = 0;
  std::vector<NodeId> queue_;
};

std::vector<ArcId> grow(const Topology& net, NodeId root, uint32_t to_come, Rest& rest) {
  std::vector<ArcId> tree(net.num_nodes(), kNoArc);
  std::vector<bool> inside(net.num_nodes(), false);
  std::vector<NodeId> queue{root};
  inside[index(root)] = true;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const ArcId arc : net.arcs_from(queue[i])) {
      const NodeId v = net.head(arc);
      if (inside[index(v)] || rest.left(arc) == 0) continue;
      rest.take(arc);
      if (!rest.reaches(v, to_come)) {
        rest.give_back(arc);
        continue;
      }
      inside[index(v)] = true;
      tree[index(v)] = arc;
      queue.push_back(v);
    }
  }
  QUADRILLE_CHECK(queue.size() == net.num_nodes(), "a tree could not be completed");
  return tree;
}

// --- exchanges ------------------------------------------------------------------------------------------

class Levelling {
 public:
  Levelling(const Topology& topology, NodeId root, std::vector<std::vector<ArcId>>& trees)
      : net_(topology), root_(root), trees_(trees), into_(arcs_into(topology)), users_(topology.num_arcs()) {
    for (uint32_t j = 0; j < trees_.size(); ++j) {
      children_.emplace_back(net_.num_nodes());
      depth_.emplace_back(net_.num_nodes(), 0);
      for (const NodeId v : net_.nodes()) {
        if (v == root_) continue;
        users_[index(arc_of(j, v))].push_back(j);
        children_[j][index(parent(j, v))].push_back(v);
      }
      sink(j, root_, 0);
    }
  }

  void run() {
    constexpr int kRounds = 60;
    for (int round = 0; round < kRounds; ++round) {
      bool better = false;
      for (const NodeId v : net_.nodes()) {
        for (uint32_t j = 0; j < trees_.size() && v != root_; ++j) {
          for (const ArcId arc : into_[index(v)]) better = try_arc(j, v, arc) || better;
        }
      }
      if (!better) return;
    }
  }

 private:
  [[nodiscard]] ArcId arc_of(uint32_t j, NodeId v) const { return trees_[j][index(v)]; }
  [[nodiscard]] NodeId parent(uint32_t j, NodeId v) const { return net_.tail(arc_of(j, v)); }

  // Depths of v and all below it.
  void sink(uint32_t j, NodeId v, uint32_t depth) {
    below(j, v);
    depth_[j][index(v)] = depth;
    for (size_t i = 1; i < below_.size(); ++i)
      depth_[j][index(below_[i])] = depth_[j][index(parent(j, below_[i]))] + 1;
  }
  void below(uint32_t j, NodeId v) {
    below_.assign(1, v);
    for (size_t i = 0; i < below_.size(); ++i) {
      const auto& children = children_[j][index(below_[i])];
      below_.insert(below_.end(), children.begin(), children.end());
    }
  }
  static int64_t price(int64_t depth) { return depth * depth * depth * depth; }
  // What it costs to hang v, with all below it, on another node; nothing if that is one of them.
  [[nodiscard]] std::optional<int64_t> cost(uint32_t j, NodeId v, NodeId on) {
    for (NodeId at = on; at != root_; at = parent(j, at)) {
      if (at == v) return std::nullopt;
    }
    const int64_t deeper = int64_t{depth_[j][index(on)]} + 1 - depth_[j][index(v)];
    if (deeper == 0) return 0;
    below(j, v);
    int64_t sum = 0;
    for (const NodeId w : below_) sum += price(depth_[j][index(w)] + deeper) - price(depth_[j][index(w)]);
    return sum;
  }
  void hang(uint32_t j, NodeId v, ArcId arc) {
    std::erase(children_[j][index(parent(j, v))], v);
    std::erase(users_[index(arc_of(j, v))], j);
    trees_[j][index(v)] = arc;
    users_[index(arc)].push_back(j);
    children_[j][index(net_.tail(arc))].push_back(v);
    sink(j, v, depth_[j][index(net_.tail(arc))] + 1);
  }
  bool try_arc(uint32_t j, NodeId v, ArcId arc) {
    const ArcId old = arc_of(j, v);
    if (arc == old) return false;
    const auto gain = cost(j, v, net_.tail(arc));
    if (!gain || *gain > 0) return false;
    const std::vector<uint32_t>& users = users_[index(arc)];
    if (users.size() < net_.capacity(arc)) {
      if (*gain == 0) return false;
      hang(j, v, arc);
      return true;
    }
    for (const uint32_t other : users) {
      if (other == j) continue;
      const auto loss = cost(other, v, net_.tail(old));
      if (!loss || *gain + *loss >= 0) continue;
      hang(j, v, arc);
      hang(other, v, old);
      return true;
    }
    return false;
  }

  const Topology& net_;
  NodeId root_;
  std::vector<std::vector<ArcId>>& trees_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<std::vector<uint32_t>> users_;                // per arc
  std::vector<std::vector<std::vector<NodeId>>> children_;  // per tree and node
  std::vector<std::vector<uint32_t>> depth_;
  std::vector<NodeId> below_;
};

}  // namespace

std::optional<DisjointTrees> packed_trees(const Topology& topology, NodeId root, uint32_t trees) {
  Rest rest(topology, root);
  for (const NodeId v : topology.nodes()) {
    if (v != root && !rest.reaches(v, trees)) return std::nullopt;
  }
  std::vector<std::vector<ArcId>> arcs;
  for (uint32_t j = 0; j < trees; ++j) arcs.push_back(grow(topology, root, trees - 1 - j, rest));
  Levelling(topology, root, arcs).run();
  return disjoint_trees(topology, root, std::move(arcs));
}

}  // namespace quadrille
