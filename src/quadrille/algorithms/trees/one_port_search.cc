#include "quadrille/algorithms/trees/one_port_search.h"

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/trees/one_port_matchings.h"
#include "quadrille/algorithms/trees/torus_broadcast_tree.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"
#include "quadrille/base/work_count.h"
#include "quadrille/search/one_port_broadcast.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace {

OnePortTree best_known_tree(const Topology& topology, NodeId root) {
  OnePortTree best = best_one_port_tree(topology, root);
  const std::optional<TorusShape> torus = as_torus(topology);
  if (!torus.has_value()) return best;
  SpanningTree tree = torus_broadcast_tree(topology, *torus, root);
  const uint32_t steps = one_port_steps(topology, tree);
  if (steps < best.steps) best = {std::move(tree), steps};
  return best;
}

}  // namespace

OnePortOptimum search_one_port_tree(const Topology& topology, NodeId root, uint32_t conflicts) {
  count_work(Work::kSearching);
  OnePortTree best = best_known_tree(topology, root);
  uint32_t floor = std::max(one_port_simple_floor(topology, root), one_port_floor_of_nodes_apart(topology));
  const auto ask = [&](uint32_t steps) {
    const OnePortBroadcast question(topology, root, steps);
    const SearchAnswer answer = solve(question.formula(), {.conflicts = conflicts});
    if (answer.satisfiable()) {
      best.tree = tree_of_arcs(topology, root, question.informed_over(answer));
      best.steps = one_port_steps(topology, best.tree);
    }
    return answer.outcome;
  };
  SearchOutcome outcome = SearchOutcome::kSatisfiable;
  while (best.steps > floor && outcome == SearchOutcome::kSatisfiable) outcome = ask(best.steps - 1);
  if (outcome == SearchOutcome::kUnsatisfiable) floor = best.steps;
  outcome = SearchOutcome::kUnsatisfiable;
  while (floor + 1 < best.steps && outcome == SearchOutcome::kUnsatisfiable) {
    outcome = ask(floor);
    if (outcome == SearchOutcome::kUnsatisfiable) ++floor;
  }
  return {std::move(best.tree), best.steps, floor};
}

}  // namespace quadrille
