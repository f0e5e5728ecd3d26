#include "quadrille/algorithms/partial_sums/tree_sums.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostMeasured = 512;  // nodes of which all distances are looked at
constexpr size_t kMostTrees = 24;

class TreeSchedule {
 public:
  TreeSchedule(const Problem& problem, const std::vector<ArcId>& tree)
      : problem_(problem),
        net_(problem.topology()),
        beside_(net_.num_nodes()),
        waits_for_(net_.num_nodes(), 0) {
    for (const ArcId arc : tree) {
      beside_[index(net_.tail(arc))].push_back(arc);
      beside_[index(net_.head(arc))].push_back(net_.reverse(arc));
    }
    for (const NodeId v : net_.nodes()) waits_for_[index(v)] = beside_[index(v)].size();
    heard_.assign(net_.num_arcs(), kNotYet);
    measure(tree);
  }

  [[nodiscard]] SumPlan plan() {
    for (const NodeId v : net_.nodes()) look_at(v);
    for (uint32_t step = 1; !ready_.empty(); ++step) send(step);
    SumPlan out(sends_.empty() ? 0 : sends_.back().step);
    std::vector<uint32_t> number(net_.num_arcs(), UINT32_MAX);
    std::vector<uint32_t> parts;
    for (const Send& sent : sends_) {
      const NodeId from = net_.tail(sent.arc);
      const bool whole = heard_[index(net_.reverse(sent.arc))] < sent.step;
      parts.clear();
      if (!whole) {
        if (net_.rank(from)) parts.push_back(SumPlan::kOwn);
        for (const ArcId arc : beside_[index(from)]) {
          if (arc != sent.arc) parts.push_back(number[index(net_.reverse(arc))]);
        }
      }
      number[index(sent.arc)] = out.send(sent.step, sent.arc, parts, whole);
    }
    return out;
  }

 private:
  static constexpr uint32_t kNotYet = UINT32_MAX;
  struct Send {
    uint32_t step;
    ArcId arc;
  };

  // How far the furthest node behind each arc is.
  void measure(const std::vector<ArcId>& tree) {
    reach_.assign(net_.num_arcs(), 0);
    for (size_t i = tree.size(); i-- > 0;)
      reach_[index(tree[i])] = 1 + furthest(net_.head(tree[i]), net_.reverse(tree[i]));
    for (const ArcId down : tree) {
      const ArcId up = net_.reverse(down);
      reach_[index(up)] = 1 + furthest(net_.tail(down), down);
    }
  }
  [[nodiscard]] uint32_t furthest(NodeId v, ArcId but) const {
    uint32_t most = 0;
    for (const ArcId arc : beside_[index(v)]) {
      if (arc != but) most = std::max(most, reach_[index(arc)]);
    }
    return most;
  }

  // What the node may send now that it did not send before.
  void look_at(NodeId v) {
    for (const ArcId arc : beside_[index(v)]) {
      const bool waits_for_it = heard_[index(net_.reverse(arc))] == kNotYet;
      if (waits_for_[index(v)] == (waits_for_it ? 1 : 0) && !is_known(arc)) ready_.push_back(arc);
    }
  }
  [[nodiscard]] bool is_known(ArcId arc) {
    if (known_.empty()) known_.assign(net_.num_arcs(), false);
    const bool before = known_[index(arc)];
    known_[index(arc)] = true;
    return before;
  }

  void send(uint32_t step) {
    std::stable_sort(ready_.begin(), ready_.end(),
                     [this](ArcId a, ArcId b) { return reach_[index(a)] > reach_[index(b)]; });
    const Model& model = problem_.model();
    std::vector<ArcId> later;
    std::vector<ArcId> now;
    started_.resize(net_.num_nodes(), {0, 0});
    ended_.resize(net_.num_nodes(), {0, 0});
    for (const ArcId arc : ready_) {
      auto& [start_step, starts] = started_[index(net_.tail(arc))];
      auto& [end_step, ends] = ended_[index(net_.head(arc))];
      if (std::exchange(start_step, step) != step) starts = 0;
      if (std::exchange(end_step, step) != step) ends = 0;
      if ((!model.send.unlimited() && starts >= model.send.count) ||
          (!model.receive.unlimited() && ends >= model.receive.count) ||
          (model.duplex == Duplex::kHalf &&
           std::find(now.begin(), now.end(), net_.reverse(arc)) != now.end())) {
        later.push_back(arc);
        continue;
      }
      ++starts;
      ++ends;
      now.push_back(arc);
    }
    QUADRILLE_CHECK(!now.empty(), "a message that is ready can be sent");
    ready_ = std::move(later);
    for (const ArcId arc : now) {
      sends_.push_back({step, arc});
      heard_[index(arc)] = step;
      --waits_for_[index(net_.head(arc))];
    }
    for (const ArcId arc : now) look_at(net_.head(arc));
  }

  const Problem& problem_;
  const Topology& net_;
  std::vector<std::vector<ArcId>> beside_;  // per node: the arcs to its neighbours in the tree
  std::vector<size_t> waits_for_;
  std::vector<uint32_t> heard_;  // per arc: the step of its message
  std::vector<uint32_t> reach_;
  std::vector<bool> known_;
  std::vector<ArcId> ready_;
  std::vector<Send> sends_;
  std::vector<std::pair<uint32_t, uint32_t>> started_;
  std::vector<std::pair<uint32_t, uint32_t>> ended_;
};

// Breadth first from one node, or from both ends of a link; routers only where they lead to endpoints.
std::vector<ArcId> tree_about(const Topology& topology, NodeId a, NodeId b) {
  std::vector<ArcId> in(topology.num_nodes(), kNoArc);
  std::vector<NodeId> order{a};
  if (a != b) {
    in[index(b)] = *topology.find_arc(a, b);
    order.push_back(b);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const ArcId arc : topology.arcs_from(order[i])) {
      const NodeId v = topology.head(arc);
      if (v == a || in[index(v)] != kNoArc) continue;
      in[index(v)] = arc;
      order.push_back(v);
    }
  }
  std::vector<bool> needed(topology.num_nodes(), false);
  for (const NodeId v : topology.endpoints()) needed[index(v)] = true;
  std::vector<uint32_t> below(topology.num_nodes(), 0);
  for (size_t i = order.size(); i-- > 1;) {
    if (needed[index(order[i])]) needed[index(topology.tail(in[index(order[i])]))] = true;
  }
  std::vector<ArcId> out;
  // Of a first node that is a router with one branch nothing is needed.
  for (size_t i = 1; i < order.size(); ++i) {
    if (needed[index(order[i])]) out.push_back(in[index(order[i])]);
  }
  for (;;) {
    const NodeId top = out.empty() ? a : topology.tail(out.front());
    size_t branches = 0;
    for (const ArcId arc : out) branches += topology.tail(arc) == top ? 1 : 0;
    if (out.empty() || topology.rank(top) || branches != 1) return out;
    out.erase(out.begin());
  }
}

}  // namespace

SumPlan tree_sums(const Problem& problem, const std::vector<ArcId>& tree) {
  return TreeSchedule(problem, tree).plan();
}

std::vector<std::vector<ArcId>> narrow_trees(const Topology& topology) {
  std::vector<std::vector<ArcId>> out;
  if (topology.num_nodes() > kMostMeasured || (topology.cayley() != nullptr && !topology.has_routers())) {
    const NodeId first{0};
    out.push_back(tree_about(topology, first, first));
    for (const ArcId arc : topology.arcs_from(first)) {
      if (out.size() < kMostTrees) out.push_back(tree_about(topology, first, topology.head(arc)));
    }
    return out;
  }
  // About a node twice the way to the furthest endpoint, about a link once more.
  std::vector<std::vector<uint32_t>> hops;
  for (const NodeId v : topology.nodes()) hops.push_back(distances_from(topology, v));
  std::vector<std::pair<uint32_t, std::pair<NodeId, NodeId>>> middles;
  for (const NodeId v : topology.nodes()) {
    uint32_t most = 0;
    for (const NodeId x : topology.endpoints()) most = std::max(most, hops[index(v)][index(x)]);
    middles.push_back({2 * most, {v, v}});
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId w = topology.head(arc);
      if (w < v) continue;
      most = 0;
      for (const NodeId x : topology.endpoints())
        most = std::max(most, std::min(hops[index(v)][index(x)], hops[index(w)][index(x)]));
      middles.push_back({2 * most + 1, {v, w}});
    }
  }
  std::stable_sort(middles.begin(), middles.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [width, middle] : middles) {
    if (out.size() == kMostTrees) break;
    out.push_back(tree_about(topology, middle.first, middle.second));
  }
  return out;
}

SumPlan narrow_tree_sums(const Problem& problem) {
  std::optional<SumPlan> best;
  for (const std::vector<ArcId>& tree : narrow_trees(problem.topology())) {
    SumPlan plan = tree_sums(problem, tree);
    if (!best || plan.steps() < best->steps()) best = std::move(plan);
  }
  return *std::move(best);
}

}  // namespace quadrille
