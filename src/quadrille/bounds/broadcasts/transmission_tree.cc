// Transmission tree: how long a broadcast takes where the network is a tree, exactly.
//
// Every node is informed by its neighbour towards the root, and must then inform its other neighbours itself.
// With one port the i-th that it informs has i steps less: best the one first whose subtree takes longest. So
// a subtree takes b(v) = max over i of (i + i-th largest b(child)); with k ports i is divided by k, rounded
// up.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"
#include "quadrille/bounds/rooted_tree.h"

namespace quadrille::bounds {

extern const BoundCard transmission_tree;

namespace transmission_tree_parts {
namespace {

// Of the root's subtree. `path` gets the nodes that decide, from the root to the last one informed.
uint64_t steps_of(const Topology& topology, const RootedTree& tree, Ports ports, std::vector<NodeId>& path) {
  std::vector<std::vector<std::pair<uint64_t, NodeId>>> children(topology.num_nodes());
  std::vector<NodeId> slowest(topology.num_nodes(), kNoNode);
  uint64_t steps = 0;
  for (size_t i = tree.order.size(); i-- > 0;) {
    const NodeId v = tree.order[i];
    auto& below = children[index(v)];
    std::stable_sort(below.begin(), below.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    steps = 0;
    for (size_t place = 0; place < below.size(); ++place) {
      const uint64_t turn = ports.unlimited() ? 1 : place / ports.count + 1;
      if (turn + below[place].first <= steps) continue;
      steps = turn + below[place].first;
      slowest[index(v)] = below[place].second;
    }
    below = {};
    if (i > 0) children[index(tree.parent[index(v)])].emplace_back(steps, v);
  }
  for (NodeId v = tree.order.front(); v != kNoNode; v = slowest[index(v)]) path.push_back(v);
  return steps;
}

std::string through(const Topology& topology, const std::vector<NodeId>& path) {
  constexpr size_t kShown = 6;
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path.size() > kShown && i == kShown - 2) {
      out += ", ..";
      i = path.size() - 2;
      continue;
    }
    out += (i == 0 ? "" : ", ") + topology.label(path[i]);
  }
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  const std::optional<RootedTree> tree = as_rooted_tree(problem.topology(), spread->root);
  if (!tree) return std::nullopt;
  std::vector<NodeId> path;
  const uint64_t steps = steps_of(problem.topology(), *tree, spread->ports, path);
  return Bound{
      transmission_tree.name, Rational(static_cast<int64_t>(steps + spread->head_start)),
      fmt::format("the network is a tree, and each node serves the slowest subtree first; the last path "
                  "is {}{}",
                  through(problem.topology(), path), spread->head_start_text()),
      BoundOn::kSteps, InformedWitness{spread->root, 1}};
}

constexpr std::array<std::string_view, 1> kAliases = {"telling_tree"};

}  // namespace
}  // namespace transmission_tree_parts

constinit const BoundCard transmission_tree = {
    .name = "transmission_tree",
    .summary = "in a tree: every node must inform its children itself, the slowest subtree first",
    .source =
        "Slater, Cockayne and Hedetniemi 1981; collective communication dissertation 1996, section 3.2.2",
    .aliases = transmission_tree_parts::kAliases,
    .evaluate = transmission_tree_parts::evaluate,
};

}  // namespace quadrille::bounds
