// The quickest scatter of any graph, found by maximum flow: see scattering/quickest_scatter.h.
//
// It need not follow a tree: on the graph with links va, vb, ac, bc, cd, ce every tree takes 4 steps from v
// and this takes 3. Where a balanced tree exists the tree's plan is as quick, and its messages never wait.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/trees/scattering/quickest_scatter.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_flow;

namespace scatter_flow_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket) {
    return Applicability::no("it needs packet switching: it is exact for blocks that go one hop a step");
  }
  const uint64_t size = flow_arcs_of_scatter(problem);
  if (size <= kMostFlowArcs) return Applicability::yes();
  return Applicability::no(
      fmt::format("it is limited to flows of {} arcs, steps times links and nodes, and {} may need {}; "
                  "scatter_balanced_tree has no limit",
                  with_thousands(kMostFlowArcs), problem.topology().name(), with_thousands(size)));
}

Prediction predicted(const Problem& problem, Once<QuickestScatter>& quickest) {
  const std::optional<uint64_t> known = known_steps_of_quickest_scatter(problem);
  if (!known && !quickest.is_made() && WorthMaking::is_limited() &&
      !WorthMaking::is_any_of_packets(least_steps_of_scatter(problem)))
    return {};
  const uint64_t steps = known ? *known : quickest.get().steps;
  return {.steps = steps, .start_ups = steps};
}

}  // namespace
}  // namespace scatter_flow_parts

constinit const Algorithm scatter_flow = {
    .name = "scatter_flow",
    .collective = CollectiveKind::kScatter,
    .summary = "the fastest scatter there is, by maximum flow in the time-expanded graph",
    .source =
        "figure 3.4(b) of the collective communication dissertation 1996 shows that trees are not enough; "
        "L. R. Ford, D. R. Fulkerson, Flows in Networks 1962, for flows over time",
    .remarks =
        "any graph, any capacities, any ports, packet switching; always optimal; up to 2,000,000 flow arcs, "
        "steps times links and nodes",
    .applies = scatter_flow_parts::applies,
    .prepare = by_search<quickest_scatter, scatter_flow_parts::predicted, scatter_quickly>,
};

}  // namespace quadrille::algorithms
