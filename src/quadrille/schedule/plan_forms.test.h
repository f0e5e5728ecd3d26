// What the tests of both plan forms share: small plans of every kind.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

/// A path through the topology; a hop that it has not becomes kNoArc.
inline std::vector<ArcId> path_through(const Topology& topology, std::vector<NodeId> nodes) {
  std::vector<ArcId> arcs;
  path_arcs(topology, nodes, arcs);
  return arcs;
}

/// What a failed test shows of a plan.
inline void PrintTo(const PlanFile& file, std::ostream* out) { *out << write_plan_text(file); }

/// For every standard collective and one and two pieces: a plan of all shapes (unit steps, an empty step,
/// worms with no block and many blocks, missing hops) over a graph with a router. Nonsense, but well-formed.
std::vector<PlanFile> plans_of_all_shapes();

}  // namespace quadrille
