// The facts of a topology with the gaps filled by search: what `quadrille show` prints.
#pragma once

#include <cstdint>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {

/// Nothing is searched in graphs of more arcs, and distances only where nodes to start from times arcs stay
/// below kMaxSearchWork.
inline constexpr uint64_t kMaxSearchedArcs = uint64_t{1} << 25U;
inline constexpr uint64_t kMaxSearchWork = uint64_t{1} << 30U;
/// Automorphisms are searched up to this many nodes.
inline constexpr uint32_t kMaxSymmetryNodes = 2000;

/// The closed forms of the call's family and, where they are silent and the graph is small enough, what a
/// search finds; `searched` names those. A bisection that is not proved is searched exactly in graphs of up
/// to kExactBisectionNodes nodes. Throws InputError.
[[nodiscard]] TopologyFacts complete_facts(const SpecCall& call);

}  // namespace quadrille
