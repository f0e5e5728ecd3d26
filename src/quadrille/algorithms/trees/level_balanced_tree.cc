#include "quadrille/algorithms/trees/level_balanced_tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

struct Branch {
  uint64_t ends = 0;      // endpoints below
  uint64_t capacity = 1;  // of the link at the root
};

// Whether the first has less to send for what its link carries.
bool has_less(const Branch& a, const Branch& b) {
  return Int128{a.ends} * b.capacity < Int128{b.ends} * a.capacity;
}

}  // namespace

SpanningTree level_balanced_tree(const Topology& topology, NodeId root) {
  const std::vector<uint32_t> hops = distances_from(topology, root);
  std::vector<std::vector<NodeId>> levels;
  for (const NodeId v : topology.nodes()) {
    if (hops[index(v)] >= topology.num_nodes()) continue;
    if (hops[index(v)] >= levels.size()) levels.resize(hops[index(v)] + 1);
    levels[hops[index(v)]].push_back(v);
  }
  std::vector<ArcId> above(topology.num_nodes(), kNoArc);
  std::vector<uint32_t> branch_of(topology.num_nodes(), 0);
  std::vector<uint32_t> children(topology.num_nodes(), 0);
  std::vector<std::vector<ArcId>> from(topology.num_nodes());  // arcs on shortest paths into a node
  for (const ArcId arc : topology.arcs())
    if (hops[index(topology.tail(arc))] + 1 == hops[index(topology.head(arc))])
      from[index(topology.head(arc))].push_back(arc);
  std::vector<Branch> branches;
  const auto branch_over = [&](ArcId arc) { return branch_of[index(topology.tail(arc))]; };
  const auto is_better = [&](ArcId a, ArcId b) {
    const Branch& one = branches[branch_over(a)];
    const Branch& other = branches[branch_over(b)];
    if (has_less(one, other)) return true;
    return !has_less(other, one) && children[index(topology.tail(a))] < children[index(topology.tail(b))];
  };
  for (size_t level = 1; level < levels.size(); ++level) {
    std::vector<std::pair<size_t, NodeId>> in_order;  // branches to choose from
    for (const NodeId v : levels[level]) {
      std::vector<uint32_t> choices;
      for (const ArcId arc : from[index(v)]) choices.push_back(branch_over(arc));
      std::ranges::sort(choices);
      choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
      in_order.emplace_back(choices.size(), v);
    }
    std::ranges::stable_sort(in_order, {}, [](const auto& entry) { return entry.first; });
    for (const auto& [choices, v] : in_order) {
      const std::vector<ArcId>& arcs = from[index(v)];
      if (level == 1) {
        branch_of[index(v)] = static_cast<uint32_t>(branches.size());
        branches.push_back({0, topology.capacity(arcs.front())});
        above[index(v)] = arcs.front();
      } else {
        above[index(v)] = *std::ranges::min_element(arcs, is_better);
        branch_of[index(v)] = branch_over(above[index(v)]);
      }
      ++children[index(topology.tail(above[index(v)]))];
      if (topology.rank(v)) ++branches[branch_of[index(v)]].ends;
    }
  }
  // Routers that lead nowhere are left out.
  std::vector<char> leads(topology.num_nodes(), 0);
  for (size_t level = levels.size(); level-- > 1;) {
    for (const NodeId v : levels[level]) {
      if (leads[index(v)] == 0 && !topology.rank(v)) {
        above[index(v)] = kNoArc;
        continue;
      }
      leads[index(topology.tail(above[index(v)]))] = 1;
    }
  }
  return tree_of_arcs(topology, root, above);
}

}  // namespace quadrille
