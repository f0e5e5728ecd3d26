// Quickest flow: all pieces must reach every node, and over disjoint paths they follow each other.
//
// Where one node is near and many paths lead to it, or all are far, other bounds say as much; this one sees
// lengths and channels together. The pieces that reach a node within T steps are a flow through the network as
// it is step after step, so T is no less than what the quickest flow of that many takes (successive_paths.h).
// The witness is a cut through nodes and steps.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille::bounds {

extern const BoundCard quickest_flow;

namespace quickest_flow_parts {
namespace {

// "over the best disjoint paths to (4,4), of 8, 8, 8 and 8 hops, 10 steps bring 12 of 16 pieces"
std::string in_words(const std::vector<SuccessivePaths::Length>& lengths, std::string_view node,
                     uint64_t steps, uint64_t pieces, bool backwards) {
  constexpr uint64_t kShown = 8;
  std::string hops;
  uint64_t paths = 0;
  uint64_t brought = 0;
  for (const auto& [length, capacity] : lengths) {
    for (uint64_t i = 0; i < capacity && paths + i < kShown; ++i)
      hops += (paths + i == 0 ? "" : ", ") + std::to_string(length);
    paths += capacity;
    if (steps > length) brought += capacity * (steps - length);
  }
  if (paths > kShown) hops += ", ..";
  return fmt::format("over the best {} {} {}, of {} hop{}, {} bring{} {} of {}",
                     paths == 1 ? "path" : "disjoint paths", backwards ? "from" : "to", node, hops,
                     hops == "1" ? "" : "s", plural(steps - 1, "step"), steps == 2 ? "s" : "", brought,
                     plural(pieces, "piece"));
}

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
              in_words(flow.lengths(), topology.label(last), steps, pieces, backwards)};
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
