// Broadcast with few ports on any graph, by a randomised heuristic: in every step those neighbours of the informed
// are informed behind whom the longest subtrees wait. See trees/one_port_matchings.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/one_port_matchings.h"
#include "quadrille/algorithms/trees/one_port_problem.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_urgent;

namespace broadcast_urgent_parts {
namespace {

// It looks at every link in every step.
constexpr uint64_t kMostWork = 2'000'000'000;
constexpr uint64_t kQuickWork = 20'000'000;

uint64_t work(const Problem& problem) {
  return uint64_t{problem.topology().num_arcs()} * eccentricity(problem.topology(), broadcast_root(problem));
}

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Ports ports = problem.model().send;
  return tree_broadcast(topology, best_tree_of_few_ports(topology, broadcast_root(problem), ports.count).tree,
                        ports);
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_broadcast_of_few_ports(problem);
  if (!fits.applies || work(problem) <= kMostWork) return fits;
  return Applicability::no(
      fmt::format("it looks at every link in every step, at most {} times in all, and {} would take more; "
                  "broadcast_bfs_tree is quick",
                  kMostWork, problem.topology().name()));
}

Prediction predicted(const Problem& problem, Once<TreeBroadcast>& tree) {
  return work(problem) > kQuickWork ? Prediction{} : tree_broadcast_prediction(problem, tree);
}

}  // namespace
}  // namespace broadcast_urgent_parts

constinit const Algorithm broadcast_urgent = {
    .name = "broadcast_urgent",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "in every step a matching decides which informed nodes inform which neighbours, longest subtrees first",
    .source = "ours; in the spirit of the heuristics by rounds and by trees for broadcast in networks",
    .remarks =
        "few ports, any graph, routers copy too; a heuristic: within a step of the optimum on most graphs tried, predicts "
        "nothing where that would take long",
    .applies = broadcast_urgent_parts::applies,
    .prepare = by_plan<broadcast_urgent_parts::shape, broadcast_urgent_parts::predicted, broadcast_down>,
};

}  // namespace quadrille::algorithms
