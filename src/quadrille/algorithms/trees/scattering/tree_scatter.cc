#include "quadrille/algorithms/trees/scattering/tree_scatter.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// The subtree of one child of the root: its destinations, farthest first, and how many are sent.
struct Branch {
  std::vector<NodeId> destinations;
  std::vector<uint64_t> needs;  // needs[i]: steps for the messages from i on, if served in every step
  size_t next = 0;
};

std::vector<Branch> branches(const Problem& problem, const SpanningTree& tree) {
  const Topology& topology = problem.topology();
  const std::span<const NodeId> children = tree.children(tree.root);
  std::vector<uint32_t> branch_of(topology.num_nodes(), 0);
  for (uint32_t c = 0; c < children.size(); ++c) branch_of[index(children[c])] = c;
  std::vector<Branch> out(children.size());
  // Backwards through an order by depth: the farthest first.
  for (const NodeId v : tree.order) {
    if (tree.depth[index(v)] > 1) branch_of[index(v)] = branch_of[index(topology.tail(tree.arc[index(v)]))];
  }
  for (size_t i = tree.order.size(); i-- > 1;) {
    const NodeId v = tree.order[i];
    if (!topology.rank(v)) continue;
    std::vector<NodeId>& destinations = out[branch_of[index(v)]].destinations;
    destinations.insert(destinations.end(), problem.collective().pieces(), v);
  }
  for (Branch& branch : out) {
    branch.needs.assign(branch.destinations.size() + 1, 0);
    for (size_t i = branch.destinations.size(); i-- > 0;) {
      branch.needs[i] =
          std::max<uint64_t>(tree.depth[index(branch.destinations[i])], branch.needs[i + 1] + 1);
    }
  }
  return out;
}

// What makes a branch go first: with one port the distance of its next destination, else the steps it needs.
struct Urgency {
  uint64_t amount;
  size_t branch;
  friend bool operator<(const Urgency& a, const Urgency& b) {
    return std::tie(a.amount, b.branch) < std::tie(b.amount, a.branch);
  }
};

// A message that leaves the root in a step.
struct ScatterSend {
  uint64_t step = 0;  // 0-based
  NodeId destination{};
  uint32_t piece = 0;
};

// What the root sends, in order of the steps.
std::vector<ScatterSend> furthest_first_sends(const Problem& problem, const SpanningTree& tree) {
  std::vector<Branch> all = branches(problem, tree);
  const Ports send = problem.model().send;
  const size_t ports = send.unlimited() ? all.size() : std::min<size_t>(send.count, all.size());
  const uint32_t pieces = problem.collective().pieces();
  const auto urgency = [&](size_t b) {
    const Branch& branch = all[b];
    const uint64_t amount =
        ports == 1 ? tree.depth[index(branch.destinations[branch.next])] : branch.needs[branch.next];
    return Urgency{amount, b};
  };
  std::priority_queue<Urgency> waiting;
  for (size_t b = 0; b < all.size(); ++b) {
    if (!all[b].destinations.empty()) waiting.push(urgency(b));
  }
  std::vector<ScatterSend> sends;
  std::vector<size_t> served;
  for (uint64_t step = 0; !waiting.empty(); ++step) {
    served.clear();
    while (served.size() < ports && !waiting.empty()) {
      served.push_back(waiting.top().branch);
      waiting.pop();
    }
    for (const size_t b : served) {
      Branch& branch = all[b];
      sends.push_back({step, branch.destinations[branch.next], static_cast<uint32_t>(branch.next % pieces)});
      ++branch.next;
      if (branch.next < branch.destinations.size()) waiting.push(urgency(b));
    }
  }
  return sends;
}

}  // namespace

Prediction tree_scatter_prediction(const Problem& problem, const SpanningTree& tree) {
  uint64_t steps = 0;
  for (const ScatterSend& s : furthest_first_sends(problem, tree))
    steps = std::max(steps, s.step + tree.depth[index(s.destination)]);
  uint64_t busiest = 0;
  for (const Branch& branch : branches(problem, tree)) {
    busiest = std::max<uint64_t>(busiest, branch.destinations.size());
  }
  return {.steps = steps, .start_ups = steps, .busiest_link = busiest};
}

void scatter_down(const Problem& problem, const SpanningTree& tree, StepSink& sink) {
  const std::vector<ScatterSend> sends = furthest_first_sends(problem, tree);
  const Topology& topology = problem.topology();
  // Preorder numbers: the child that leads to a node is the last one that is numbered not after it.
  std::vector<uint32_t> size(topology.num_nodes(), 1);
  for (size_t i = tree.order.size(); i-- > 1;) {
    const NodeId v = tree.order[i];
    size[index(topology.tail(tree.arc[index(v)]))] += size[index(v)];
  }
  std::vector<uint32_t> preorder(topology.num_nodes(), 0);
  for (const NodeId v : tree.order) {
    uint32_t next = preorder[index(v)] + 1;
    for (const NodeId child : tree.children(v)) {
      preorder[index(child)] = next;
      next += size[index(child)];
    }
  }
  struct UnderWay {
    NodeId at;
    NodeId destination;
    BlockId block;
  };
  std::vector<UnderWay> under_way;
  StepBuilder step;
  size_t sent = 0;
  for (uint64_t s = 0; sent < sends.size() || !under_way.empty(); ++s) {
    for (; sent < sends.size() && sends[sent].step == s; ++sent) {
      const Rank rank = *topology.rank(sends[sent].destination);
      under_way.push_back(
          {tree.root, sends[sent].destination, problem.collective().block(rank, sends[sent].piece)});
    }
    for (UnderWay& message : under_way) {
      const std::span<const NodeId> children = tree.children(message.at);
      const auto after =
          std::upper_bound(children.begin(), children.end(), preorder[index(message.destination)],
                           [&](uint32_t number, NodeId child) { return number < preorder[index(child)]; });
      QUADRILLE_CHECK(after != children.begin(), topology.name());
      message.at = *(after - 1);
      step.add(tree.arc[index(message.at)], message.block);
    }
    std::erase_if(under_way, [](const UnderWay& m) { return m.at == m.destination; });
    step.flush(sink);
  }
}

}  // namespace quadrille
