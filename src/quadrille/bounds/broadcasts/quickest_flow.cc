// Quickest flow: all pieces must reach every node, and over disjoint paths they follow each other.
//
// Where one node is near and many paths lead to it, or all are far, other bounds say as much; this one sees
// lengths and channels together. The pieces that reach a node within T steps are a flow through the network as
// it is step after step, so T is no less than what the quickest flow of that many takes (successive_paths.h).
// The witness is a cut through nodes and steps.
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exchanges/flow_words.h"
#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille::bounds {

extern const BoundCard quickest_flow;

namespace quickest_flow_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const bool backwards = collective.kind() == CollectiveKind::kReduce;
  if (takes_paths(problem.model()) || collective.num_ranks() < 2 ||
      collective.pieces() < 2 ||  // of one, `distance` says the same
      (collective.kind() != CollectiveKind::kBroadcast && !backwards))
    return std::nullopt;
  const NodeId root = topology.endpoint(*collective.root());
  const uint64_t pieces = collective.pieces();
  const auto [steps, last] = quickest_to_all(topology, root, backwards, pieces);
  SuccessivePaths flow(topology, root, backwards);
  (void)flow.quickest(last, pieces);
  Bound bound{quickest_flow.name, Rational(static_cast<int64_t>(steps)),
              flow_in_words(flow.lengths(), (backwards ? "from " : "to ") + topology.label(last), steps,
                            pieces, "piece")};
  // A step in which a link carries several is as many steps, one after the other, in which it carries one.
  if (sends_single_packets(problem.model())) {
    bound.evidence = TimesWitness{flow.times()};
  } else {
    bound.on = BoundOn::kCriticalBlocks;
  }
  return bound;
}

}  // namespace
}  // namespace quickest_flow_parts

constinit const BoundCard quickest_flow = {
    .name = "quickest_flow",
    .summary = "pieces that follow each other to one node, over disjoint paths no shorter than there are",
    .source = "Ford and Fulkerson 1958, maximal flows over time",
    .evaluate = quickest_flow_parts::evaluate,
};

}  // namespace quadrille::bounds
