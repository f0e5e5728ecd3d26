// Allreduce on any graph: up a breadth-first tree, and down again from its root.
//
// The root is a node, or a router, in the middle of the graph: with all ports and one piece it takes twice
// the radius, on many graphs the diameter, and no plan takes fewer steps than that. Going up, send and
// receive ports change places.
#include <algorithm>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_bfs_tree;

namespace allreduce_bfs_tree_parts {
namespace {

NodeId furthest_endpoint(const Topology& topology, const std::vector<uint32_t>& hops) {
  NodeId furthest = topology.endpoints().front();
  for (const NodeId v : topology.endpoints()) {
    if (hops[index(v)] > hops[index(furthest)]) furthest = v;
  }
  return furthest;
}

// A node, or router, from which the furthest endpoint is as near as can be found: the distances to a few
// endpoints bound every node's eccentricity from below; the node with the least bound is tried, and the
// endpoint furthest from it is the next to measure from, until a node keeps its bound.
NodeId middle(const Topology& topology) {
  if (topology.cayley() != nullptr && !topology.has_routers()) return NodeId{0};
  constexpr int kMostRounds = 40;
  std::vector<uint32_t> bound(topology.num_nodes(), 0);
  std::vector<uint64_t> sum(topology.num_nodes(), 0);
  NodeId landmark = furthest_endpoint(topology, distances_from(topology, topology.endpoints().front()));
  NodeId best = topology.endpoints().front();
  uint32_t least = UINT32_MAX;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<uint32_t> hops = distances_to(topology, landmark);
    NodeId tried{0};
    for (const NodeId v : topology.nodes()) {
      bound[index(v)] = std::max(bound[index(v)], hops[index(v)]);
      sum[index(v)] += hops[index(v)];
      if (std::pair(bound[index(v)], sum[index(v)]) < std::pair(bound[index(tried)], sum[index(tried)]))
        tried = v;
    }
    const std::vector<uint32_t> from = distances_from(topology, tried);
    landmark = furthest_endpoint(topology, from);
    if (from[index(landmark)] < least) {
      least = from[index(landmark)];
      best = tried;
    }
    if (least <= bound[index(tried)]) break;
  }
  return best;
}

struct UpAndDown {
  TreeBroadcast up;  // on the transposed graph
  TreeBroadcast down;
};

UpAndDown shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const NodeId root = middle(topology);
  const Topology back = transposed(topology);
  return {tree_broadcast(back, breadth_first_tree(back, root), problem.model().receive),
          tree_broadcast(topology, breadth_first_tree(topology, root), problem.model().send)};
}

Prediction predicted(const Problem& problem, const UpAndDown& both) {
  const uint32_t pieces = problem.collective().pieces();
  const uint64_t steps = both.up.steps(pieces) + both.down.steps(pieces);
  Prediction prediction{.steps = steps, .start_ups = steps};
  if (carries_many(problem.model())) prediction.critical_blocks = prediction.critical_hops = steps;
  // In a directed graph a link may lie on both trees.
  if (!problem.topology().is_directed()) prediction.busiest_link = steps == 0 ? 0 : pieces;
  return prediction;
}

void generate(const Problem& problem, const UpAndDown& both, StepSink& sink) {
  // Its root has no say in what is sent.
  Model model = problem.model();
  model.combining = Operator::kCommutative;  // nothing is combined on the way down
  std::swap(model.send, model.receive);      // of the turned network
  const Problem broadcast = standard_problem(transposed(problem.topology()), CollectiveKind::kBroadcast,
                                             model, kNoNode, problem.collective().pieces());
  Plan up;
  broadcast_down(broadcast, both.up, up);
  reverse(broadcast, up).replay(sink);
  copy_down(problem, both.down, sink);
}

}  // namespace
}  // namespace allreduce_bfs_tree_parts

constinit const Algorithm allreduce_bfs_tree = {
    .name = "allreduce_bfs_tree",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "reduces up a breadth-first tree to a centre of the graph and broadcasts the result down again",
    .source = "folklore; collective communication dissertation 1996, section 3.1 for the tree",
    .remarks =
        "any graph, any ports, routers add up and copy too; for few pieces: twice the steps of a broadcast",
    .may_keep_order = true,
    .applies = [](const Problem&) { return Applicability::yes(); },
    .prepare = by_plan<allreduce_bfs_tree_parts::shape, allreduce_bfs_tree_parts::predicted,
                       allreduce_bfs_tree_parts::generate>,
};

}  // namespace quadrille::algorithms
