#include "quadrille/algorithms/fat_trees/folded_clos_shape.h"

#include <algorithm>
#include <utility>

namespace quadrille {
namespace {

constexpr uint32_t kUnset = UINT32_MAX;

// A subtree of level l: what it is made of, and the nodes of level l above it, in an order that the shape gives them.
struct Subtree {
  std::vector<uint32_t> children;  // subtrees of the level below
  std::vector<NodeId> tops;
};

class ShapeSearch {
 public:
  explicit ShapeSearch(const Topology& topology)
      : topology_(topology), level_(topology.num_nodes(), kUnset) {}

  std::optional<FoldedClosShape> run() {
    if (topology_.is_directed() || !topology_.has_routers() || !find_levels()) return std::nullopt;
    start_with_hosts();
    for (uint32_t l = 1; l <= height_; ++l)
      if (!build_level(l)) return std::nullopt;
    if (subtrees_[height_].size() != 1) return std::nullopt;
    list_nodes();
    return std::move(shape_);
  }

 private:
  // Distances from the nearest host; links lead a level up or down, and only hosts are on level 0.
  bool find_levels() {
    std::vector<NodeId> reached;
    for (const NodeId host : topology_.endpoints()) {
      if (topology_.out_degree(host) != 1) return false;
      level_[index(host)] = 0;
      reached.push_back(host);
    }
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const ArcId arc : topology_.arcs_from(reached[i])) {
        uint32_t& level = level_[index(topology_.head(arc))];
        if (level != kUnset) continue;
        level = level_[index(reached[i])] + 1;
        height_ = std::max(height_, level);
        reached.push_back(topology_.head(arc));
      }
    }
    for (const ArcId arc : topology_.arcs()) {
      const uint32_t a = level_[index(topology_.tail(arc))];
      const uint32_t b = level_[index(topology_.head(arc))];
      if (a + 1 != b && b + 1 != a) return false;
    }
    return height_ > 0;
  }

  void start_with_hosts() {
    subtrees_.resize(height_ + 1);
    subtree_of_.assign(topology_.num_nodes(), kUnset);
    top_of_.assign(topology_.num_nodes(), 0);
    for (const NodeId host : topology_.endpoints()) {
      subtree_of_[index(host)] = static_cast<uint32_t>(subtrees_[0].size());
      subtrees_[0].push_back({{}, {host}});
    }
  }

  // Subtrees of the level below that a switch of this level joins become one.
  bool build_level(uint32_t level) {
    std::vector<uint32_t> joined(subtrees_[level - 1].size());
    for (uint32_t i = 0; i < joined.size(); ++i) joined[i] = i;
    const auto root = [&joined](uint32_t i) {
      while (joined[i] != i) i = joined[i] = joined[joined[i]];
      return i;
    };
    std::vector<NodeId> switches;
    for (const NodeId v : topology_.nodes()) {
      if (level_[index(v)] != level) continue;
      switches.push_back(v);
      uint32_t first = kUnset;
      for (const ArcId arc : topology_.arcs_from(v)) {
        const NodeId below = topology_.head(arc);
        if (level_[index(below)] + 1 != level) continue;
        const uint32_t i = root(subtree_of_[index(below)]);
        if (first == kUnset) first = i;
        joined[std::max(first, i)] = std::min(first, i);
        first = std::min(first, i);
      }
    }
    // In the order of their first hosts.
    std::vector<uint32_t> number(joined.size(), kUnset);
    std::vector<Subtree>& made = subtrees_[level];
    for (uint32_t i = 0; i < joined.size(); ++i) {
      const uint32_t r = root(i);
      if (number[r] == kUnset) {
        number[r] = static_cast<uint32_t>(made.size());
        made.emplace_back();
      }
      made[number[r]].children.push_back(i);
    }
    std::vector<std::vector<NodeId>> above(made.size());
    for (const NodeId v : switches) {
      for (const ArcId arc : topology_.arcs_from(v)) {
        const NodeId below = topology_.head(arc);
        if (level_[index(below)] + 1 != level) continue;
        above[number[root(subtree_of_[index(below)])]].push_back(v);
        break;
      }
    }
    for (uint32_t i = 0; i < made.size(); ++i)
      if (!order_tops(level, made[i], above[i])) return false;
    const Subtree& first = made.front();
    for (uint32_t i = 0; i < made.size(); ++i) {
      if (made[i].children.size() != first.children.size() || made[i].tops.size() != first.tops.size())
        return false;
      for (uint32_t top = 0; top < made[i].tops.size(); ++top) {
        subtree_of_[index(made[i].tops[top])] = i;
        top_of_[index(made[i].tops[top])] = top;
      }
    }
    shape_.children.push_back(static_cast<uint32_t>(first.children.size()));
    shape_.parents.push_back(
        static_cast<uint32_t>(first.tops.size() / subtrees_[level - 1].front().tops.size()));
    return level > 1 || shape_.parents[0] == 1;
  }

  // Every switch is above one top of each child; the tops of the first child say what the others are called.
  bool order_tops(uint32_t level, Subtree& subtree, const std::vector<NodeId>& above) {
    const size_t tops = subtrees_[level - 1][subtree.children[0]].tops.size();
    if (above.size() % tops != 0) return false;
    const size_t parents = above.size() / tops;
    std::vector<uint32_t> place(topology_.num_nodes() == 0 ? 0 : subtrees_[level - 1].size(), kUnset);
    for (uint32_t c = 0; c < subtree.children.size(); ++c) place[subtree.children[c]] = c;
    std::vector<std::vector<uint32_t>> called(subtree.children.size(), std::vector<uint32_t>(tops, kUnset));
    std::vector<std::vector<NodeId>> of_top(tops);
    for (const NodeId v : above) {
      std::vector<uint32_t> below(subtree.children.size(), kUnset);
      for (const ArcId arc : topology_.arcs_from(v)) {
        const NodeId w = topology_.head(arc);
        if (level_[index(w)] + 1 != level) continue;
        uint32_t& top = below[place[subtree_of_[index(w)]]];
        if (top != kUnset) return false;
        top = top_of_[index(w)];
      }
      if (std::ranges::find(below, kUnset) != below.end()) return false;
      for (size_t c = 0; c < below.size(); ++c) {
        uint32_t& name = called[c][below[c]];
        if (name != kUnset && name != below[0]) return false;
        name = below[0];
      }
      of_top[below[0]].push_back(v);
    }
    for (const std::vector<NodeId>& nodes : of_top) {
      if (nodes.size() != parents) return false;
      subtree.tops.insert(subtree.tops.end(), nodes.begin(), nodes.end());
    }
    for (size_t c = 1; c < called.size(); ++c)
      if (!rename(level - 1, subtree.children[c], called[c])) return false;
    return true;
  }

  // The tops of a subtree get other numbers; those with a common child stay together, whose number changes with them.
  bool rename(uint32_t level, uint32_t which, const std::vector<uint32_t>& name) {
    Subtree& subtree = subtrees_[level][which];
    std::vector<NodeId> tops(subtree.tops.size(), kNoNode);
    for (size_t i = 0; i < name.size(); ++i) {
      if (name[i] == kUnset || tops[name[i]] != kNoNode) return false;
      tops[name[i]] = subtree.tops[i];
      top_of_[index(subtree.tops[i])] = name[i];
    }
    subtree.tops = std::move(tops);
    if (level == 0) return true;
    const uint32_t parents = shape_.parents[level - 1];
    std::vector<uint32_t> below(name.size() / parents, kUnset);
    for (size_t i = 0; i < name.size(); ++i) {
      uint32_t& child = below[i / parents];
      if (child != kUnset && child != name[i] / parents) return false;
      child = name[i] / parents;
    }
    for (const uint32_t child : subtree.children)
      if (!rename(level - 1, child, below)) return false;
    return true;
  }

  // Subtree by subtree, from the root down.
  void list_nodes() {
    shape_.levels.resize(height_ + 1);
    std::vector<uint32_t> order{0};
    for (uint32_t l = height_ + 1; l-- > 0;) {
      std::vector<uint32_t> next;
      for (const uint32_t i : order) {
        const Subtree& subtree = subtrees_[l][i];
        shape_.levels[l].insert(shape_.levels[l].end(), subtree.tops.begin(), subtree.tops.end());
        next.insert(next.end(), subtree.children.begin(), subtree.children.end());
      }
      order = std::move(next);
    }
  }

  const Topology& topology_;
  std::vector<uint32_t> level_;
  uint32_t height_ = 0;
  std::vector<std::vector<Subtree>> subtrees_;  // per level
  std::vector<uint32_t> subtree_of_;            // per node that has its place
  std::vector<uint32_t> top_of_;
  FoldedClosShape shape_;
};

}  // namespace

std::optional<FoldedClosShape> folded_clos_shape(const Topology& topology) {
  return ShapeSearch(topology).run();
}

}  // namespace quadrille
