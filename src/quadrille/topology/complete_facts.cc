#include "quadrille/topology/complete_facts.h"

#include <algorithm>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/queries/bisection.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/symmetry.h"

namespace quadrille {
namespace {

bool knows_distances(const TopologyFacts& facts) {
  return facts.diameter && facts.min_status && facts.max_status && facts.average_status;
}

bool small_bisection(const TopologyFacts& facts) {
  return facts.endpoints > 1 && facts.nodes <= Int128{kExactBisectionNodes};
}

void search_distances(TopologyFacts& facts, const Topology& net) {
  const uint64_t starts = net.cayley() != nullptr && !net.has_routers() ? 1 : net.num_endpoints();
  if (starts * net.num_arcs() > kMaxSearchWork) return;
  const DistanceSummary found = distance_summary(net);
  if (!facts.diameter) {
    facts.diameter = found.diameter;
    facts.searched.push_back("diameter");
  }
  if (!facts.average_status) facts.searched.push_back("average distance");
  if (!facts.min_status || !facts.max_status) facts.searched.push_back("total distance");
  facts.min_status = found.min_status;
  facts.max_status = found.max_status;
  facts.average_status = found.average_status;
}

void search_bisection(TopologyFacts& facts, const Topology& net) {
  if (facts.endpoints == 1) {
    facts.bisection = Bisection{.capacity = 0, .proved = true, .reason = "one endpoint"};
    return;
  }
  const std::optional<FoundBisection> found = best_known_bisection(net);
  if (!found) return;
  const bool better = !facts.bisection || Int128{found->capacity} < facts.bisection->capacity;
  if (!better && !found->proved) return;
  facts.bisection = Bisection{.capacity = found->capacity,
                              .proved = found->proved,
                              .reason = found->proved ? "exact over all cuts" : found->cut.description};
  facts.searched.push_back("bisection");
}

}  // namespace

TopologyFacts complete_facts(const SpecCall& call) {
  TopologyFacts facts = topology_facts(call);
  const bool distances = !knows_distances(facts);
  const bool bisection = !facts.bisection || (!facts.bisection->proved && small_bisection(facts));
  const bool symmetry = !facts.node_symmetric && facts.nodes <= Int128{kMaxSymmetryNodes};
  if (!distances && !bisection && !symmetry) return facts;
  if (facts.nodes + 2 * facts.links > Int128{kMaxSearchedArcs}) return facts;
  const Topology net = build_topology(call);
  if (distances) search_distances(facts, net);
  if (bisection) search_bisection(facts, net);
  if (symmetry) {
    facts.node_symmetric = is_node_symmetric(net);
    facts.searched.push_back("node symmetry");
  }
  return facts;
}

}  // namespace quadrille
