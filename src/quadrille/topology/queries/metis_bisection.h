// A bisection by METIS: multilevel partitioning, quick for graphs far too large to search.
//
// A heuristic: what it finds is a cut like any other, and a bound on schedules by its own capacity, but
// nothing says that no cheaper one exists (topology/queries/bisection.h has the exact one of small graphs).
#pragma once

#include <optional>

#include "quadrille/topology/queries/bisection.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The best of several tries, with halves that differ by one endpoint at most; routers lie where they cost
/// least. Directions do not count in the search, only in `capacity`. Nothing for one endpoint. The same graph
/// gives the same cut.
[[nodiscard]] std::optional<FoundBisection> metis_bisection(const Topology& topology);

}  // namespace quadrille
