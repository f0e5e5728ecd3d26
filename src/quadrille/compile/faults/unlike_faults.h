// Unlike faults: single links and nodes of which no symmetry makes one out of another.
//
// A symmetry of the network that leaves the problem what it is takes a fault to one that costs as much. On Cayley graphs translations
// are such; elsewhere, a torus from a file or a mesh, those that a search finds (topology/queries/symmetry.h), which leave a root
// where it is.
#pragma once

#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The classes of links in the order of their first ones, each link by one of its arcs.
[[nodiscard]] std::vector<std::vector<ArcId>> unlike_links(const Problem& problem);

/// The same of nodes, but for the root.
[[nodiscard]] std::vector<std::vector<NodeId>> unlike_nodes(const Problem& problem);

}  // namespace quadrille
