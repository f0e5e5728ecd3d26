// The questions of section 7.1 of the 1996 dissertation on multiport scattering: are there balanced trees for
// all tori, and what have cut nodes to do with the optimum?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm scatter_balanced_tree;
extern const Algorithm scatter_flow;
}  // namespace algorithms

namespace dissertation_1996_scattering_test {

// All tori with sides of 2 and more, in rising order, and at most so many nodes.
void tori(std::vector<uint32_t>& sides, uint32_t nodes, uint32_t most,
          const std::function<void(const std::vector<uint32_t>&)>& use) {
  if (!sides.empty()) use(sides);
  for (uint32_t side = sides.empty() ? 2 : sides.back(); nodes * side <= most; ++side) {
    sides.push_back(side);
    tori(sides, nodes * side, most, use);
    sides.pop_back();
  }
}

TEST(DissertationClaims, tori_of_all_dimensions_have_balanced_trees_as_far_as_tried) {
  std::map<size_t, int> tried;  // by dimensions
  std::vector<uint32_t> sides;
  tori(sides, 1, 128, [&](const std::vector<uint32_t>& torus) {
    std::string spec = "torus(";
    for (const uint32_t side : torus) spec += std::to_string(side) + ",";
    spec.back() = ')';
    const Topology net = parse_topology(spec);
    const Problem problem = standard_problem(net, CollectiveKind::kScatter);
    Plan plan;
    algorithms::scatter_balanced_tree.plan_for(problem)->generate(plan);
    EXPECT_TRUE(verify(problem, plan).schedule.has_value()) << spec;
    const uint32_t degree = net.out_degree(NodeId{0});
    EXPECT_EQ(plan.num_steps(), stated((net.num_nodes() - 1 + degree - 1) / degree)) << spec;
    ++tried[torus.size()];
  });
  EXPECT_GE(tried[2], 100);
  EXPECT_GE(tried[3], 50);
  EXPECT_GE(tried[4], 20);
  EXPECT_GE(tried[5], 5);
}

// A small undirected graph. Node 0 scatters.
using Links = std::set<std::pair<size_t, size_t>>;
struct Graph {
  size_t nodes;
  Links links;  // both ways

  [[nodiscard]] size_t degree(size_t v) const {
    return static_cast<size_t>(
        std::ranges::count_if(links, [v](const auto& link) { return link.first == v; }));
  }
};

// The nodes that a node reaches if another one is missing.
std::set<size_t> reached(const Graph& graph, size_t from, size_t missing) {
  std::set<size_t> in = {from};
  for (bool more = true; more;) {
    more = false;
    for (const auto& [a, b] : graph.links)
      if (in.contains(a) && b != missing) more = in.insert(b).second || more;
  }
  return in;
}
constexpr size_t kNone = SIZE_MAX;

bool has_cut_node(const Graph& graph) {
  for (size_t v = 0; v < graph.nodes; ++v) {
    const size_t other = v == 0 ? 1 : 0;
    if (graph.nodes > 2 && reached(graph, other, v).size() != graph.nodes - 1) return true;
  }
  return false;
}

// Connected graphs, all of them up to the names of the nodes other than 0 (some more than once).
std::vector<Graph> connected_graphs(size_t nodes) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t a = 0; a < nodes; ++a)
    for (size_t b = a + 1; b < nodes; ++b) pairs.emplace_back(a, b);
  std::vector<Graph> graphs;
  for (uint64_t chosen = 0; chosen < uint64_t{1} << pairs.size(); ++chosen) {
    std::vector<size_t> degree(nodes, 0);
    for (size_t i = 0; i < pairs.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      ++degree[pairs[i].first];
      ++degree[pairs[i].second];
    }
    if (!std::is_sorted(degree.rbegin(), degree.rend() - 1)) continue;
    Graph graph{nodes, {}};
    for (size_t i = 0; i < pairs.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      graph.links.insert(pairs[i]);
      graph.links.emplace(pairs[i].second, pairs[i].first);
    }
    if (reached(graph, 0, kNone).size() == nodes) graphs.push_back(std::move(graph));
  }
  return graphs;
}

// How many messages can be at nodes of their own, other than node 0, after so many steps: a flow, path by
// path, through copies of the nodes for the time before and after each step.
size_t delivered(const Graph& graph, size_t steps) {
  const size_t n = graph.nodes;
  const size_t sink = n * (steps + 1);
  std::vector<std::map<size_t, int64_t>> room(sink + 1);
  for (size_t t = 0; t < steps; ++t) {
    for (size_t v = 0; v < n; ++v) room[t * n + v][(t + 1) * n + v] = static_cast<int64_t>(n);
    for (const auto& [a, b] : graph.links) room[t * n + a][(t + 1) * n + b] = 1;
  }
  for (size_t v = 1; v < n; ++v) room[steps * n + v][sink] = 1;
  size_t flow = 0;
  std::vector<bool> seen;
  const std::function<bool(size_t)> push = [&](size_t at) {
    if (at == sink) return true;
    seen[at] = true;
    for (const auto& [to, left] : std::map<size_t, int64_t>(room[at])) {
      if (left == 0 || seen[to] || !push(to)) continue;
      --room[at][to];
      ++room[to][at];
      return true;
    }
    return false;
  };
  while (seen.assign(sink + 1, false), push(0)) ++flow;
  return flow;
}

size_t optimum(const Graph& graph) {
  size_t steps = 0;
  while (delivered(graph, steps) < graph.nodes - 1) ++steps;
  return steps;
}

size_t degree_bound(const Graph& graph) { return (graph.nodes - 1 + graph.degree(0) - 1) / graph.degree(0); }

// The least, over all spanning trees, of the size of the largest subtree of a child of node 0.
size_t best_tree(const Graph& graph) {
  size_t best = SIZE_MAX;
  std::vector<size_t> parent(graph.nodes, 0);
  const std::function<void(size_t)> choose = [&](size_t v) {
    if (v < graph.nodes) {
      for (auto link = graph.links.lower_bound({v, 0}); link != graph.links.end() && link->first == v;
           ++link) {
        parent[v] = link->second;
        choose(v + 1);
      }
      return;
    }
    std::vector<size_t> size(graph.nodes, 0);
    for (size_t u = 1; u < graph.nodes; ++u) {
      size_t top = u;
      for (size_t hops = 0; parent[top] != 0; top = parent[top])
        if (++hops == graph.nodes) return;  // a cycle
      ++size[top];
    }
    best = std::min(best, *std::ranges::max_element(size));
  };
  choose(1);
  return best;
}

// Whether so many steps are enough by the cuts of that flow: give every node v a time s(v) in 0..T+1, node 0
// time 0; then the links a->b, each over max(0, min(T, s(b) - 1) - s(a)) steps, must have room for a message
// to every node with s(v) = T + 1.
bool no_cut_forbids(const Graph& graph, size_t steps) {
  const auto end = static_cast<int64_t>(steps);
  std::vector<int64_t> time(graph.nodes, 0);
  while (true) {
    int64_t room = 0;
    for (const auto& [a, b] : graph.links) room += std::max<int64_t>(0, std::min(end, time[b] - 1) - time[a]);
    if (room < std::ranges::count(time, end + 1)) return false;
    size_t v = 1;
    while (v < graph.nodes && ++time[v] == end + 2) time[v++] = 0;
    if (v >= graph.nodes) return true;
  }
}

size_t planned_steps(const Graph& graph) {
  std::string spec = "edges(\"";
  for (const auto& [a, b] : graph.links)
    if (a < b) spec += std::to_string(a) + " " + std::to_string(b) + ", ";
  spec.resize(spec.size() - 2);
  const Problem problem = standard_problem(parse_topology(spec + "\")"), CollectiveKind::kScatter);
  Plan plan;
  algorithms::scatter_flow.plan_for(problem)->generate(plan);
  EXPECT_TRUE(verify(problem, plan).schedule.has_value()) << spec;
  return plan.num_steps();
}

TEST(DissertationClaims, cut_nodes_alone_do_not_decide_how_scattering_goes_but_cuts_in_time_do) {
  std::map<std::pair<bool, bool>, int> with_cut_node;  // (bound met, a tree is enough)
  for (size_t n = 2; n <= 6; ++n) {
    for (const Graph& graph : connected_graphs(n)) {
      const size_t steps = optimum(graph);
      const bool met = steps == degree_bound(graph);
      const bool tree = best_tree(graph) == steps;
      if (has_cut_node(graph)) {
        ++with_cut_node[{met, tree}];
      } else {
        EXPECT_TRUE(met && tree) << n;
      }
      if (n <= 5) {
        EXPECT_TRUE(no_cut_forbids(graph, steps));
        EXPECT_FALSE(no_cut_forbids(graph, steps - 1));
        EXPECT_EQ(planned_steps(graph), steps);
      }
    }
  }
  EXPECT_GT((with_cut_node[{true, true}]), 0);
  EXPECT_GT((with_cut_node[{true, false}]), 0);
  EXPECT_GT((with_cut_node[{false, true}]), 0);

  // Seven nodes, none of which cuts: the bound is 2 and no node is farther, but it takes 3 steps.
  Graph graph{7, {}};
  for (const auto& [a, b] : Links{{0, 2}, {0, 5}, {0, 6}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {2, 3}, {2, 4}}) {
    graph.links.emplace(a, b);
    graph.links.emplace(b, a);
  }
  EXPECT_FALSE(has_cut_node(graph));
  EXPECT_EQ(degree_bound(graph), stated(2U));
  EXPECT_EQ(optimum(graph), 3U);
  EXPECT_EQ(planned_steps(graph), 3U);
}

}  // namespace dissertation_1996_scattering_test
}  // namespace quadrille
