#include "quadrille/compile/groups/tree_length.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace tree_length_parts {
namespace {

class Ascent {
 public:
  Ascent(const Topology& net, std::span<const uint64_t> length, NodeId root, bool backwards)
      : net_(net),
        left_(length.begin(), length.end()),
        root_(root),
        backwards_(backwards),
        into_(backwards ? std::vector<std::vector<ArcId>>(net.num_nodes()) : arcs_into(net)),
        reached_by_(net.num_nodes(), 0) {
    if (!backwards) return;
    for (const ArcId arc : net.arcs()) into_[index(net.tail(arc))].push_back(arc);
  }

  // Sets with few arcs that lead in pay first.
  uint64_t run(const std::vector<char>& wanted) {
    using Waiting = std::pair<size_t, NodeId>;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
    for (const NodeId v : net_.nodes())
      if (wanted[index(v)] != 0 && v != root_) queue.emplace(0, v);
    uint64_t paid = 0;
    while (!queue.empty()) {
      const auto [entries, v] = queue.top();
      queue.pop();
      if (!look_round(v)) continue;
      QUADRILLE_CHECK(!entering_.empty(), net_.name());
      if (entering_.size() > entries && !queue.empty() && entering_.size() > queue.top().first) {
        queue.emplace(entering_.size(), v);
        continue;
      }
      uint64_t least = UINT64_MAX;
      for (const ArcId arc : entering_) least = std::min(least, left_[index(arc)]);
      for (const ArcId arc : entering_) left_[index(arc)] -= least;
      paid += least;
      queue.emplace(entering_.size(), v);
    }
    return paid;
  }

 private:
  // All who reach it over what is paid for, and the arcs that lead to them; false where the root is one of them.
  bool look_round(NodeId v) {
    ++search_;
    set_.assign(1, v);
    reached_by_[index(v)] = search_;
    entering_.clear();
    for (size_t i = 0; i < set_.size(); ++i) {
      for (const ArcId arc : into_[index(set_[i])]) {
        const NodeId u = backwards_ ? net_.head(arc) : net_.tail(arc);
        if (reached_by_[index(u)] == search_) continue;
        if (left_[index(arc)] > 0) {
          entering_.push_back(arc);
          continue;
        }
        if (u == root_) return false;
        reached_by_[index(u)] = search_;
        set_.push_back(u);
      }
    }
    std::erase_if(entering_, [&](ArcId arc) {
      return reached_by_[index(backwards_ ? net_.head(arc) : net_.tail(arc))] == search_;
    });
    return true;
  }

  const Topology& net_;
  std::vector<uint64_t> left_;
  NodeId root_;
  bool backwards_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<uint32_t> reached_by_;  // per node: the search that met it last
  uint32_t search_ = 0;
  std::vector<NodeId> set_{};
  std::vector<ArcId> entering_{};
};

}  // namespace
}  // namespace tree_length_parts

uint64_t least_tree_length(const Topology& net, std::span<const uint64_t> length, NodeId root,
                           const std::vector<char>& wanted, bool backwards) {
  return tree_length_parts::Ascent(net, length, root, backwards).run(wanted);
}

}  // namespace quadrille
