// Total exchange on any abelian Cayley graph with all ports: circulants, twisted tori, hypercycles and all
// tori.
//
// How many hops a displacement takes along which generator is chosen so that the busiest generator carries as
// little as can be found (cayley/balanced_routes.h); the order of the hops is an open shop, solved exactly
// (cayley/displacement_exchange.h). So the steps are the busiest load, and its distance from the bound
// generator_weights is all that can be missing.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/balanced_routes.h"
#include "quadrille/algorithms/cayley/displacement_exchange.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_abelian;

namespace alltoall_abelian_parts {
namespace {

constexpr uint64_t kMostArcs = uint64_t{1} << 15U;

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (topology.cayley() == nullptr) {
    return Applicability::no(fmt::format(
        "it needs a Cayley graph of an abelian group; no group is known for {}", topology.name()));
  }
  if (!topology.cayley()->group->is_abelian()) {
    return Applicability::no(fmt::format("it needs an abelian group; that of {}, {}, is none",
                                         topology.name(), topology.cayley()->group->name()));
  }
  if (topology.num_arcs() <= kMostArcs) return Applicability::yes();
  return Applicability::no(fmt::format("its search for routes takes graphs of up to {} arcs; {} has {}",
                                       with_thousands(kMostArcs), topology.name(),
                                       with_thousands(topology.num_arcs())));
}

DisplacementRoutes routes_of(const Problem& problem) { return balanced_routes(*problem.topology().cayley()); }

Prediction predicted(const Problem& problem, const DisplacementRoutes& routes) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = pieces * exchange_steps(problem, routes);
  uint64_t busiest = 0;
  for (const uint64_t load : generator_loads(routes, cayley.generators.size()))
    busiest = std::max(busiest, load);
  return {.steps = steps, .start_ups = steps, .busiest_link = pieces * busiest};
}

void generate(const Problem& problem, const DisplacementRoutes& routes, StepSink& sink) {
  displacement_exchange(problem, routes, sink);
}

}  // namespace
}  // namespace alltoall_abelian_parts

constinit const Algorithm alltoall_abelian = {
    .name = "alltoall_abelian",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "routes displacements so that generators carry equal loads, then orders the hops as an open shop",
    .source = "open shop by edge colouring (Koenig); ours",
    .remarks =
        "any abelian Cayley graph of up to 32,768 arcs, all ports; as many steps as the busiest generator has hops; the gap "
        "to the bound generator_weights is what the search for routes has left",
    .same_at_all_nodes = always,
    .applies = alltoall_abelian_parts::applies,
    .prepare = by_search<alltoall_abelian_parts::routes_of, alltoall_abelian_parts::predicted,
                         alltoall_abelian_parts::generate>,
};

}  // namespace quadrille::algorithms
