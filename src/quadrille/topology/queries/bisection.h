// Bisections: cuts that part the endpoints in two halves, as equal as can be. Routers may lie on either side.
//
//     const std::optional<FoundBisection> found = exact_bisection(net);       // small graphs
//     const std::optional<FoundBisection> best = best_known_bisection(net);   // any graph: an upper bound
//
// The cheapest bisection is hard to find in general. exact_bisection searches all of them, with branch and
// bound; best_known_bisection starts from the structured cuts and from runs of nodes and improves them by
// exchanging pairs.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Graphs of up to this many nodes are searched completely.
inline constexpr uint32_t kExactBisectionNodes = 24;

struct FoundBisection {
  uint64_t capacity = 0;  ///< of the cheaper direction
  Cut cut;
  bool proved = false;
};

/// The cheapest bisection; nothing when the graph is too large, when it has one endpoint only, or when `work`
/// branches were not enough.
[[nodiscard]] std::optional<FoundBisection> exact_bisection(const Topology& topology,
                                                            uint64_t work = 4'000'000);

/// The cheapest bisection that is found with little effort, exact where the graph is small. Nothing for one
/// endpoint.
[[nodiscard]] std::optional<FoundBisection> best_known_bisection(const Topology& topology);

}  // namespace quadrille
