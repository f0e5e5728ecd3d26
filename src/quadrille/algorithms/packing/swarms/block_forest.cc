#include "quadrille/algorithms/packing/swarms/block_forest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace block_forest_parts {
namespace {

constexpr int kPasses = 16;
constexpr int kMostRounds = 32;  // of nodes that change their parents
constexpr double kFirstSharpness = 8;
constexpr double kLastSharpness = 200;
constexpr double kMostExponent = 18;
constexpr uint64_t kHop = 4'096;  // so that ways of no price are short
constexpr uint64_t kNoise = 1'024;

// What nodes and links have to do in all trees, each with so much of it in a step.
class Loads {
 public:
  explicit Loads(const ForestTask& task) : net_(task.net) {
    for (const ArcId arc : net_.arcs()) can_.push_back(net_.capacity(arc));
    const auto of_nodes = [&](Ports ports) {
      const size_t first = can_.size();
      can_.resize(first + net_.num_nodes(), ports.unlimited() ? 0 : ports.count);
      return first;
    };
    sends_ = of_nodes(task.send);
    receives_ = of_nodes(task.receive);
    load_.assign(can_.size(), 0);
    price_.assign(can_.size(), 0);
    saving_.assign(can_.size(), 0);
  }

  // What the arc costs now.
  uint64_t add(ArcId arc) {
    const uint64_t cost = price(arc);
    for (const size_t r : of(arc)) {
      ++load_[r];
      saving_[r] = price_[r];
      price_[r] = price_at(r, load_[r]);
    }
    return cost;
  }
  // What it did cost.
  uint64_t remove(ArcId arc) {
    uint64_t cost = kHop;
    for (const size_t r : of(arc)) {
      --load_[r];
      price_[r] = saving_[r];
      saving_[r] = price_at(r, load_[r] - 1);
      cost += price_[r];
    }
    return cost;
  }
  [[nodiscard]] uint64_t price(ArcId arc) const {
    uint64_t sum = kHop;
    for (const size_t r : of(arc)) sum += price_[r];
    return sum;
  }
  [[nodiscard]] uint64_t saving(ArcId arc) const {
    uint64_t sum = kHop;
    for (const size_t r : of(arc)) sum += saving_[r];
    return sum;
  }
  [[nodiscard]] uint64_t price_of_sending(NodeId v) const { return price_[sends_ + index(v)]; }
  [[nodiscard]] uint64_t price_of_receiving(NodeId v) const { return price_[receives_ + index(v)]; }
  // Steps that the fullest needs.
  [[nodiscard]] uint64_t fullest() const {
    uint64_t most = 0;
    for (size_t r = 0; r < can_.size(); ++r)
      if (can_[r] > 0) most = std::max(most, (static_cast<uint64_t>(load_[r]) + can_[r] - 1) / can_[r]);
    return most;
  }
  void set_prices(double sharpness, double level) {
    sharpness_ = sharpness;
    level_ = level;
    for (size_t r = 0; r < can_.size(); ++r) {
      price_[r] = price_at(r, load_[r]);
      saving_[r] = price_at(r, load_[r] - 1);
    }
  }

 private:
  [[nodiscard]] std::array<size_t, 3> of(ArcId arc) const {
    return {index(arc), sends_ + index(net_.tail(arc)), receives_ + index(net_.head(arc))};
  }
  // Rounded, so that the last digit of a machine's exp() does not matter.
  [[nodiscard]] uint64_t price_at(size_t r, int64_t load) const {
    if (can_[r] == 0) return 0;
    const double over = double(load) / (double(can_[r]) * level_) - 1.0;
    const double exponent = std::clamp(sharpness_ * over, -kMostExponent, kMostExponent);
    return static_cast<uint64_t>(std::llround(double(kFullPrice) * std::exp(exponent)));
  }

  const Topology& net_;
  size_t sends_ = 0;
  size_t receives_ = 0;
  double sharpness_ = 1;
  double level_ = 1;
  std::vector<uint32_t> can_{};  // nothing: without a limit
  std::vector<int64_t> load_{};
  std::vector<uint64_t> price_{};   // of one more
  std::vector<uint64_t> saving_{};  // with one less
};

class Forest {
 public:
  Forest(const ForestTask& task, uint64_t least)
      : task_(task),
        net_(task.net),
        least_(least),
        loads_(task),
        into_(arcs_into(task.net)),
        from_(task.net.num_nodes()),
        trees_(task.trees.size()) {
    for (const ArcId arc : net_.arcs()) from_[index(net_.tail(arc))].push_back(arc);
  }

  BlockForest grow() {
    BlockForest best{.fullest = UINT64_MAX};
    auto level = static_cast<double>(trees_.size());
    std::vector<uint32_t> order(trees_.size());
    std::iota(order.begin(), order.end(), 0U);
    for (int pass = 0; pass < kPasses && best.fullest > least_; ++pass) {
      if (pass > 0 && searches_are_stopped()) break;
      loads_.set_prices(
          kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, pass / double{kPasses - 1}), level);
      rng_.shuffle(order);
      for (const uint32_t b : order) replace(b);
      const uint64_t now = loads_.fullest();
      level = 0.999 * static_cast<double>(now);
      if (now >= best.fullest) continue;
      best = {trees_, now};
    }
    return best;
  }

 private:
  void replace(uint32_t b) {
    wanted_ = task_.trees[b];
    uint64_t before = 0;
    const BlockTree old = std::move(trees_[b]);
    find_depths(old);
    for (const ArcId arc : old) before += loads_.remove(arc) + task_.haste * depth_[index(outer(arc))];
    const uint64_t now = grow(b);
    if (!old.empty() && now >= before) {
      for (const ArcId arc : trees_[b]) loads_.remove(arc);
      for (const ArcId arc : old) loads_.add(arc);
      trees_[b] = old;
    }
    change_parents(b);
  }

  // As the tree grows, from the root: backwards, against the arcs.
  [[nodiscard]] std::span<const ArcId> onward(NodeId v) const {
    return wanted_.backwards ? into_[index(v)] : from_[index(v)];
  }
  [[nodiscard]] std::span<const ArcId> towards(NodeId v) const {
    return wanted_.backwards ? from_[index(v)] : into_[index(v)];
  }
  [[nodiscard]] NodeId outer(ArcId arc) const { return wanted_.backwards ? net_.tail(arc) : net_.head(arc); }
  [[nodiscard]] NodeId inner(ArcId arc) const { return wanted_.backwards ? net_.head(arc) : net_.tail(arc); }
  [[nodiscard]] bool wants(NodeId v) const {
    return wanted_.wants == nullptr ? net_.rank(v).has_value() : (*wanted_.wants)[index(v)] != 0;
  }

  // What the tree costs.
  uint64_t grow(uint32_t b) {
    uint64_t costs = 0;
    BlockTree& tree = trees_[b];
    tree.clear();
    cost_.assign(net_.num_nodes(), UINT64_MAX);
    over_.assign(net_.num_nodes(), kNoArc);
    is_in_.assign(net_.num_nodes(), 0);
    uint64_t missing = wanted_.wants == nullptr ? net_.num_endpoints()
                                                : static_cast<uint64_t>(std::ranges::count_if(
                                                      *wanted_.wants, [](char wants) { return wants != 0; }));
    depth_.assign(net_.num_nodes(), 0);
    const auto join = [&](NodeId v) {
      is_in_[index(v)] = 1;
      cost_[index(v)] = task_.haste * depth_[index(v)];
      queue_.emplace(cost_[index(v)], v);
      if (wants(v)) --missing;
    };
    join(wanted_.root);
    while (missing > 0) {
      const auto [cost, v] = queue_.top();
      queue_.pop();
      if (cost != cost_[index(v)]) continue;
      if (wants(v) && is_in_[index(v)] == 0) {
        if (look_again(v, cost)) continue;
        const size_t first = tree.size();
        for (NodeId w = v; is_in_[index(w)] == 0; w = inner(over_[index(w)])) {
          tree.push_back(over_[index(w)]);
          costs += loads_.add(over_[index(w)]);
        }
        std::reverse(tree.begin() + static_cast<ptrdiff_t>(first), tree.end());
        for (size_t i = first; i < tree.size(); ++i) {
          const NodeId w = outer(tree[i]);
          depth_[index(w)] = depth_[index(inner(tree[i]))] + 1;
          costs += task_.haste * depth_[index(w)];
          join(w);
        }
        continue;
      }
      for (const ArcId arc : onward(v)) {
        const size_t w = index(outer(arc));
        const uint64_t then = cost + price_with_outer(arc) + rng_.below(kNoise);
        if (then >= cost_[w]) continue;
        cost_[w] = then;
        over_[w] = arc;
        queue_.emplace(then, outer(arc));
      }
    }
    queue_ = {};
    return costs;
  }
  [[nodiscard]] uint64_t price_with_outer(ArcId arc) const {
    const NodeId v = outer(arc);
    const uint64_t own = wanted_.backwards ? loads_.price_of_receiving(v) : loads_.price_of_sending(v);
    return loads_.price(arc) + (wants(v) ? own : 0);
  }
  // Whether a node that was to come next over one arc has become dearer since.
  bool look_again(NodeId v, uint64_t cost) {
    if (is_in_[index(inner(over_[index(v)]))] == 0) return false;
    uint64_t least = UINT64_MAX;
    for (const ArcId arc : towards(v)) {
      if (is_in_[index(inner(arc))] == 0) continue;
      const uint64_t now = cost_[index(inner(arc))] + price_with_outer(arc) + rng_.below(kNoise);
      if (now >= least) continue;
      least = now;
      over_[index(v)] = arc;
    }
    if (least <= cost + kNoise) return false;
    cost_[index(v)] = least;
    queue_.emplace(least, v);
    return true;
  }

  void find_depths(const BlockTree& tree) {
    depth_.assign(net_.num_nodes(), 0);
    for (const ArcId arc : tree) depth_[index(outer(arc))] = depth_[index(inner(arc))] + 1;
  }

  void change_parents(uint32_t b) {
    BlockTree& tree = trees_[b];
    find_depths(tree);
    over_.assign(net_.num_nodes(), kNoArc);
    children_.assign(net_.num_nodes(), 0);
    is_in_.assign(net_.num_nodes(), 0);
    const NodeId origin = wanted_.root;
    is_in_[index(origin)] = 1;
    for (const ArcId arc : tree) {
      over_[index(outer(arc))] = arc;
      is_in_[index(outer(arc))] = 1;
      ++children_[index(inner(arc))];
    }
    bool has_changed = false;
    // Where hops cost something depths are not followed down the tree, and two nodes may change places for ever.
    bool again = true;
    for (int round = 0; again && round < kMostRounds; ++round) {
      again = false;
      for (const NodeId v : net_.nodes())
        if (v != origin && is_in_[index(v)] != 0 && change_parent(v, origin)) again = true;
      has_changed |= again;
    }
    if (has_changed) list(tree, origin);
  }
  bool change_parent(NodeId v, NodeId origin) {
    const ArcId old = over_[index(v)];
    const auto haste = [&](ArcId arc) { return task_.haste * depth_[index(inner(arc))]; };
    ArcId best = old;
    uint64_t least = loads_.remove(old) + haste(old);
    for (const ArcId arc : towards(v)) {
      if (arc == old || is_in_[index(inner(arc))] == 0) continue;
      const uint64_t now = loads_.price(arc) + haste(arc);
      if (now >= least || is_below(inner(arc), v, origin)) continue;
      least = now;
      best = arc;
    }
    loads_.add(best);
    if (best == old) return false;
    over_[index(v)] = best;
    depth_[index(v)] = depth_[index(inner(best))] + 1;  // of those behind it that is not followed
    ++children_[index(inner(best))];
    --children_[index(inner(old))];
    // A router that leads to nobody is not in the tree.
    for (NodeId w = inner(old); w != origin && children_[index(w)] == 0 && !wants(w);) {
      is_in_[index(w)] = 0;
      loads_.remove(over_[index(w)]);
      w = inner(std::exchange(over_[index(w)], kNoArc));
      --children_[index(w)];
    }
    return true;
  }
  [[nodiscard]] bool is_below(NodeId v, NodeId above, NodeId origin) const {
    for (; v != origin; v = inner(over_[index(v)]))
      if (v == above) return true;
    return v == above;
  }
  void list(BlockTree& tree, NodeId origin) {
    tree.clear();
    reached_.assign(1, origin);
    for (size_t i = 0; i < reached_.size(); ++i) {
      if (children_[index(reached_[i])] == 0) continue;
      for (const ArcId arc : onward(reached_[i])) {
        if (over_[index(outer(arc))] != arc) continue;
        tree.push_back(arc);
        reached_.push_back(outer(arc));
      }
    }
  }

  const ForestTask& task_;
  const Topology& net_;
  uint64_t least_;
  Loads loads_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<std::vector<ArcId>> from_;
  Rng rng_{1};
  std::vector<BlockTree> trees_;
  WantedTree wanted_{};  // the one that grows
  std::vector<uint64_t> cost_{};
  std::vector<ArcId> over_{};
  std::vector<char> is_in_{};
  std::vector<uint32_t> depth_{};
  std::vector<uint32_t> children_{};
  std::vector<NodeId> reached_{};
  using Item = std::pair<uint64_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_{};
};

}  // namespace
}  // namespace block_forest_parts

BlockForest grow_block_forest(const ForestTask& task, uint64_t least) {
  return block_forest_parts::Forest(task, least).grow();
}

BlockForest grow_block_forest(const SwarmTask& task, uint64_t least, uint64_t haste) {
  ForestTask all{task.net, task.send, task.receive};
  all.haste = haste;
  for (const NodeId origin : task.origins) all.trees.push_back({origin});
  return grow_block_forest(all, least);
}

}  // namespace quadrille
