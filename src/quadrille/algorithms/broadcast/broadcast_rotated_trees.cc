// Broadcast of many pieces on hypercubes with few ports: each goes down a binomial tree, turned by a dimension from one to the next.
//
// See hypercubes/rotated_trees.h. With one port C + d - 1 steps, which no plan beats.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/hypercubes/rotated_trees.h"
#include "quadrille/algorithms/hypercubes/spanning_hypercube.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_rotated_trees;

namespace broadcast_rotated_trees_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (model.duplex != Duplex::kFull)
    return Applicability::no("half duplex: neighbours exchange pieces over one link in one step");
  if (SpanningHypercube::of(problem.topology())) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a hypercube that reaches every node, as on hypercubes, rings of four, complete "
                  "graphs of 2^k nodes and their products; none is known in {}",
                  problem.topology().name()));
}

Chunking chunks(const Problem& problem) {
  const std::optional<SpanningHypercube> cube = SpanningHypercube::of(problem.topology());
  if (!cube || cube->dimensions() < 2) return {};
  return {.unit = most_streams(problem.model(), *cube), .streams = true};
}

RotatedTrees trees(const Problem& problem) { return {problem, *SpanningHypercube::of(problem.topology())}; }

Prediction predicted(const Problem& /*problem*/, const RotatedTrees& trees) {
  return {.steps = trees.steps(), .start_ups = trees.steps(), .busiest_link = trees.busiest_link()};
}

void generate(const Problem& /*problem*/, const RotatedTrees& trees, StepSink& sink) { trees.send(sink); }

}  // namespace
}  // namespace broadcast_rotated_trees_parts

constinit const Algorithm broadcast_rotated_trees = {
    .name = "broadcast_rotated_trees",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "pieces follow each other down binomial trees, each turned by a dimension, so that all hear one a step",
    .source = "Johnsson and Ho 1989; the last piece: Traeff and Ripke 2008; k ports: ours",
    .remarks =
        "hypercubes, rings of four, complete graphs of 2^k nodes and their products, full duplex; with one port C + d - "
        "1 steps for C pieces on 2^d nodes, which no plan beats; with k ports ceil(C/k) + d - 1",
    .counts_alone = true,
    .mixes_pieces = true,
    .applies = broadcast_rotated_trees_parts::applies,
    .chunks = broadcast_rotated_trees_parts::chunks,
    .prepare = by_plan<broadcast_rotated_trees_parts::trees, broadcast_rotated_trees_parts::predicted,
                       broadcast_rotated_trees_parts::generate>,
};

}  // namespace quadrille::algorithms
