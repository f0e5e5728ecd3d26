#include "quadrille/algorithms/trees/even_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "quadrille/algorithms/graphs/even_order.h"
#include "quadrille/base/random.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace even_trees_parts {
namespace {

constexpr int kPasses = 8;
constexpr double kFirstSharpness = 10;
constexpr double kLastSharpness = 120;
constexpr uint64_t kPriceUnit = kDepthPriceUnit;
constexpr uint64_t kNoise = 1'024;
constexpr uint32_t kKeptPorts = 16;  // of nodes whose prices are remembered
constexpr double kAlmost = 0.995;    // of the fullest node so far: what the next pass is to come below

// Messages that a node may send, and as many receive, in a step, where that is less than its links carry; else 0. A tree takes both
// as often as it has links there.
std::vector<uint32_t> few_ports(const Problem& problem) {
  const Topology& net = problem.topology();
  std::vector<uint32_t> out(net.num_nodes(), 0);
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited()) continue;
    for (const NodeId v : net.nodes()) {
      uint64_t links = 0;
      for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
      uint32_t& few = out[index(v)];
      if (ports.count < links) few = few == 0 ? ports.count : std::min(few, ports.count);
    }
  }
  return out;
}

// The trees of an allreduce, packed.
class Packing {
 public:
  Packing(const Problem& problem, uint32_t trees, double per_link, uint64_t price_of_depth)
      : price_of_depth_(price_of_depth),
        net_(problem.topology()),
        ports_(few_ports(problem)),
        least_per_link_(per_link),
        per_link_(per_link),
        load_(net_.num_arcs(), 0),
        price_(net_.num_arcs()),
        node_load_(net_.num_nodes(), 0),
        node_price_(net_.num_nodes(), 0) {
    choose_roots(trees);
    per_port_ = 2.0 * trees;  // to and fro, of nodes in the middle of a path
  }

  std::vector<EvenTree> pack() {
    std::vector<std::vector<ArcId>> now(roots_.size());
    std::vector<std::vector<ArcId>> best;
    double least = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
      sharpness_ = kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, pass / double{kPasses - 1});
      price_of_load_.clear();
      price_of_node_.fill({});
      for (const ArcId arc : net_.arcs()) set_price(arc);
      for (const NodeId v : net_.nodes()) set_price(v);
      for (size_t t = 0; t < roots_.size(); ++t) {
        count(now[t], -1);
        grow(roots_[t], now[t]);
        count(now[t], 1);
      }
      double most = 0;
      for (const ArcId arc : net_.arcs()) most = std::max(most, double(load_[index(arc)]) / capacity(arc));
      double fullest = 0;
      for (const NodeId v : net_.nodes()) {
        if (ports_[index(v)] > 0)
          fullest = std::max(fullest, double(node_load_[index(v)]) / ports_[index(v)]);
      }
      if (fullest > 0) per_port_ = pass == 0 ? fullest * kAlmost : std::min(per_port_, fullest * kAlmost);
      // As long as ports take, links may take, too.
      if (fullest > 0) per_link_ = std::max(least_per_link_, per_port_);
      most = std::max(most, fullest);
      if (!best.empty() && most >= least) continue;
      least = most;
      best = now;
    }
    std::vector<EvenTree> out;
    for (const uint32_t t : in_even_order(best)) out.push_back(tree_of(roots_[t], std::move(best[t])));
    return out;
  }

 private:
  [[nodiscard]] double capacity(ArcId arc) const {
    return std::min(net_.capacity(arc), net_.capacity(net_.reverse(arc)));
  }

  // Both ways of a link, and the ports of both its ends where they are few.
  [[nodiscard]] std::vector<uint32_t> in_even_order(const std::vector<std::vector<ArcId>>& trees) const {
    std::vector<std::vector<uint32_t>> uses(trees.size());
    CarriedAStep carried;
    for (const ArcId arc : net_.arcs()) carried.push_back(net_.capacity(arc));
    for (const uint32_t few : ports_) carried.push_back(std::max(few, 1U));
    for (size_t t = 0; t < trees.size(); ++t) {
      for (const ArcId arc : trees[t]) {
        if (arc == kNoArc) continue;
        for (const ArcId way : {arc, net_.reverse(arc)}) {
          uses[t].push_back(static_cast<uint32_t>(index(way)));
          const size_t end = index(net_.tail(way));
          if (ports_[end] > 0) uses[t].push_back(static_cast<uint32_t>(net_.num_arcs() + end));
        }
      }
    }
    return even_order(uses, carried);
  }

  // Among the quarter of the nodes that is nearest to the middle; none that is half as far again from the farthest as it need be, or, of
  // trees as low as they can be, farther at all.
  void choose_roots(uint32_t trees) {
    std::vector<std::pair<uint32_t, NodeId>> middle;
    for (const NodeId v : net_.nodes()) {
      const std::vector<uint32_t> hops = distances_from(net_, v);
      uint32_t most = 0;
      for (const NodeId w : net_.endpoints()) most = std::max(most, hops[index(w)]);
      middle.emplace_back(most, v);
    }
    std::stable_sort(middle.begin(), middle.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    size_t near = std::max<size_t>(1, middle.size() / 4);
    while (2 * middle[near - 1].first > 3 * middle.front().first) --near;
    if (price_of_depth_ > kPriceUnit)
      while (middle[near - 1].first > middle.front().first) --near;
    for (uint32_t t = 0; t < trees; ++t) roots_.push_back(middle[rng_.below(near)].second);
  }

  // Both directions of a link have one price. Rounded, so that the last digit of a machine's exp() does not matter.
  void set_price(ArcId arc) { price_[index(arc)] = price_of(load_[index(arc)], capacity(arc)); }
  // Most links have capacity 1, and few different loads.
  [[nodiscard]] uint64_t price_of(int64_t load, double capacity) {
    const double over = double(load) / capacity / per_link_ - 1;
    const auto price = [&] {
      return static_cast<uint64_t>(
          std::llround(double(kPriceUnit) * std::exp(std::min(sharpness_ * over, 25.0))));
    };
    if (capacity != 1) return price();
    const auto at = static_cast<size_t>(load);
    if (at >= price_of_load_.size()) price_of_load_.resize(2 * at + 1, kUnknown);
    uint64_t& known = price_of_load_[at];
    if (known == kUnknown) known = price();
    return known;
  }
  void set_price(NodeId v) {
    if (ports_[index(v)] == 0) return;
    const uint32_t ports = ports_[index(v)];
    const auto load = static_cast<size_t>(node_load_[index(v)]);
    const auto price = [&] {
      const double over = double(load) / ports / per_port_ - 1;
      return static_cast<uint64_t>(
          std::llround(double(kPriceUnit) * std::exp(std::min(sharpness_ * over, 25.0))));
    };
    uint64_t& now = node_price_[index(v)];
    if (ports > kKeptPorts) {
      now = price();
      return;
    }
    std::vector<uint64_t>& known = price_of_node_[ports];
    if (load >= known.size()) known.resize(2 * load + 1, kUnknown);
    if (known[load] == kUnknown) known[load] = price();
    now = known[load];
  }
  void count(const std::vector<ArcId>& tree, int by) {
    for (const ArcId arc : tree) {
      if (arc == kNoArc) continue;
      for (const NodeId end : {net_.tail(arc), net_.head(arc)}) {
        node_load_[index(end)] += by;
        set_price(end);
      }
      for (const ArcId way : {arc, net_.reverse(arc)}) {
        load_[index(way)] += by;
        set_price(way);
      }
    }
  }

  // Prim's algorithm, where distance from the root costs a little.
  void grow(NodeId root, std::vector<ArcId>& tree) {
    const size_t nodes = net_.num_nodes();
    tree.assign(nodes, kNoArc);
    key_.assign(nodes, UINT64_MAX);
    depth_.assign(nodes, 0);
    done_.assign(nodes, 0);
    order_.clear();
    std::priority_queue<std::pair<uint64_t, NodeId>, std::vector<std::pair<uint64_t, NodeId>>, std::greater<>>
        queue;
    queue.emplace(0, root);
    while (!queue.empty()) {
      const NodeId u = queue.top().second;
      queue.pop();
      if (done_[index(u)] != 0) continue;
      done_[index(u)] = 1;
      order_.push_back(u);
      if (u != root) depth_[index(u)] = depth_[index(net_.tail(tree[index(u)]))] + 1;
      for (const ArcId arc : net_.arcs_from(u)) {
        const NodeId w = net_.head(arc);
        if (done_[index(w)] != 0) continue;
        const uint64_t key = price_[index(arc)] + node_price_[index(u)] + node_price_[index(w)] +
                             price_of_depth_ * (depth_[index(u)] + 1) + rng_.below(kNoise);
        if (key >= key_[index(w)]) continue;
        key_[index(w)] = key;
        tree[index(w)] = arc;
        queue.emplace(key, w);
      }
    }
    // Routers that lead to nobody are left out.
    if (!net_.has_routers()) return;
    needed_.assign(nodes, 0);
    for (size_t i = order_.size(); i-- > 0;) {
      const NodeId v = order_[i];
      if (!net_.rank(v) && needed_[index(v)] == 0) {
        tree[index(v)] = kNoArc;
      } else if (v != root) {
        needed_[index(net_.tail(tree[index(v)]))] = 1;
      }
    }
  }

  [[nodiscard]] EvenTree tree_of(NodeId root, std::vector<ArcId> arcs) const {
    const size_t nodes = net_.num_nodes();
    EvenTree out{root,
                 std::move(arcs),
                 {root},
                 std::vector<uint32_t>(nodes, 0),
                 std::vector<uint32_t>(nodes, 0),
                 std::vector<uint32_t>(nodes, 0)};
    for (size_t i = 0; i < out.order.size(); ++i) {
      for (const ArcId arc : net_.arcs_from(out.order[i])) {
        const NodeId w = net_.head(arc);
        if (out.arc[index(w)] != arc) continue;
        out.depth[index(w)] = out.depth[index(out.order[i])] + 1;
        ++out.children[index(out.order[i])];
        out.order.push_back(w);
      }
    }
    for (size_t i = out.order.size(); i-- > 1;) {
      const size_t v = index(out.order[i]);
      uint32_t& above = out.height[index(net_.tail(out.arc[v]))];
      above = std::max(above, out.height[v] + 1);
    }
    return out;
  }

  static constexpr uint64_t kUnknown = UINT64_MAX;

  uint64_t price_of_depth_;
  const Topology& net_;
  std::vector<uint32_t> ports_;
  double least_per_link_;  // the same, where ports are many
  double per_link_;        // trees that a link of capacity 1 should be in
  double per_port_ = 1;    // links of trees that a node of one port should have
  double sharpness_ = 1;
  Rng rng_{3};
  std::vector<NodeId> roots_;
  std::vector<int64_t> load_;  // per arc: trees in which its link is
  std::vector<uint64_t> price_;
  std::vector<uint64_t> price_of_load_;                              // in this pass, of capacity 1
  std::array<std::vector<uint64_t>, kKeptPorts + 1> price_of_node_;  // in this pass, by ports and load
  std::vector<int64_t> node_load_;                                   // links of all trees
  std::vector<uint64_t> node_price_;
  std::vector<uint64_t> key_;
  std::vector<uint32_t> depth_;
  std::vector<char> done_;
  std::vector<char> needed_;
  std::vector<NodeId> order_;
};

}  // namespace
}  // namespace even_trees_parts

std::vector<EvenTree> even_trees(const Problem& allreduce, uint32_t trees, double per_link,
                                 uint64_t price_of_depth) {
  return even_trees_parts::Packing(allreduce, trees, per_link, price_of_depth).pack();
}

}  // namespace quadrille
