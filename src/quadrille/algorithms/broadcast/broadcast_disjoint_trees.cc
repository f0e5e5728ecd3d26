// Broadcast down disjoint trees: pieces take turns on as many trees as paths lead to every node, and the last of
// them fill the links that others have left.
//
// See trees/tree_streaming.h. On tori, hypercubes and meshes it takes as many steps as the pieces need to flow to
// the slowest node, which is optimal.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/trees/tree_streaming.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_disjoint_trees;

namespace broadcast_disjoint_trees_parts {
namespace {

constexpr uint32_t kMostNodes = 4096;
constexpr uint32_t kMostArcs = 1U << 16U;
constexpr uint64_t kMostTrees = 512;  // beyond, their formula takes gigabytes

NodeId root_of(const Problem& problem) { return problem.topology().endpoint(*problem.collective().root()); }

Applicability fits_network(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket || model.duplex != Duplex::kFull)
    return Applicability::no("it is made for packet switching and full duplex");
  if (!model.send.unlimited() || !model.receive.unlimited())
    return Applicability::no("it takes all ports; with fewer, pieces follow each other down one tree");
  if (problem.collective().num_ranks() < 2) return Applicability::no("there is nobody to send to");
  if (topology.num_nodes() > kMostNodes || topology.num_arcs() > kMostArcs) {
    return Applicability::no(
        fmt::format("it takes networks of up to {} nodes and {} links, one way each, and {} "
                    "has {} and {}",
                    kMostNodes, kMostArcs, topology.name(), topology.num_nodes(), topology.num_arcs()));
  }
  uint64_t from_root = 0;
  for (const ArcId arc : topology.arcs_from(root_of(problem))) from_root += topology.capacity(arc);
  std::vector<uint64_t> into(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) into[index(topology.head(arc))] += topology.capacity(arc);
  into[index(root_of(problem))] = from_root;
  uint64_t trees = from_root;
  for (const NodeId v : topology.endpoints()) trees = std::min(trees, into[index(v)]);
  if (trees > kMostTrees) {
    return Applicability::no(fmt::format(
        "it makes a tree for each packet that the links of a node carry at once: for {} at most, not {}",
        kMostTrees, with_thousands(trees)));
  }
  for (const NodeId v : topology.endpoints()) {
    if (into[index(v)] < 2) {
      return Applicability::no(fmt::format("only one link {} {}: there are no two disjoint trees",
                                           v == root_of(problem) ? "leaves" : "leads to", topology.label(v)));
    }
  }
  return Applicability::yes();
}

Applicability applies(const Problem& problem) {
  if (problem.collective().pieces() < 2) {
    return Applicability::no(
        "a block in one piece takes one tree, broadcast_bfs_tree's; with more pieces all links work");
  }
  return fits_network(problem);
}

Chunking chunks(const Problem& problem) {
  if (!fits_network(problem).applies) return {};
  return {.unit = most_disjoint_trees(problem.topology(), root_of(problem)), .streams = true};
}

TreeStreams streams(const Problem& problem) {
  const bool in_order = problem.model().chunks == Chunks::kInOrder;
  return best_tree_streams(problem.topology(), root_of(problem), problem.collective().pieces(),
                           in_order ? LastPieces::kInOrder : LastPieces::kAnywhere);
}

// The last piece leaves the root after the others, and goes as far as the others.
uint64_t steps_at_least(const Problem& problem) {
  const Topology& net = problem.topology();
  uint64_t at_once = 0;
  for (const ArcId arc : net.arcs_from(root_of(problem))) at_once += net.capacity(arc);
  return (problem.collective().pieces() + at_once - 1) / at_once - 1 + eccentricity(net, root_of(problem));
}

std::optional<TreeStreams> streams_if_wanted(const Problem& problem) {
  if (!WorthMaking::is_any_of_packets(steps_at_least(problem))) return std::nullopt;
  return streams(problem);
}

Prediction predicted(const Problem& problem, const std::optional<TreeStreams>& found) {
  return found ? tree_streams_prediction(problem, *found) : Prediction{};
}

void generate(const Problem& problem, const std::optional<TreeStreams>& found, StepSink& sink) {
  stream_down(problem, found ? *found : streams(problem), sink);
}

Preparation prepare(const Problem& problem) {
  if (most_disjoint_trees(problem.topology(), root_of(problem)) < 2)
    return Preparation::no("there are no two disjoint trees: a single link leads to some nodes");
  return by_search<streams_if_wanted, predicted, generate>(problem);
}

}  // namespace
}  // namespace broadcast_disjoint_trees_parts

constinit const Algorithm broadcast_disjoint_trees = {
    .name = "broadcast_disjoint_trees",
    .collective = CollectiveKind::kBroadcast,
    .summary = "pieces take turns on trees that share no link, and the last batch fills what links are left",
    .source = "ours; trees: Edmonds 1973, Johnsson and Ho 1989 on hypercubes, otherwise searched for",
    .remarks =
        "all ports, two pieces or more, graphs in which two disjoint paths lead to every node; on meshes, hypercubes "
        "and most tori of up to 300 nodes as many steps as the pieces need to flow to the slowest node, elsewhere "
        "mostly a step more",
    .applies = broadcast_disjoint_trees_parts::applies,
    .chunks = broadcast_disjoint_trees_parts::chunks,
    .prepare = broadcast_disjoint_trees_parts::prepare,
};

}  // namespace quadrille::algorithms
