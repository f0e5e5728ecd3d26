// Refutations of one-port broadcasts that a stranger can check: of a formula that follows from the rules of
// the game alone.
//
// OnePortBroadcast makes a formula that is quick to solve: it leaves out variables that distances decide, has
// helpers, and tries what looks alike only once. Whoever checks its refutation has to believe all that. Here
// the formula has the variables "informed by the end of step t" and "informed over this arc" and the clauses
// that anybody would write down; its refutation is longer, and needs no belief.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Lemmas that refute that `root` can inform all nodes in so many steps, in the form of a RefutationWitness
/// (schedule/bound_witness.h), of which each was checked; nothing where `conflicts` were not enough to find
/// them.
[[nodiscard]] std::optional<std::vector<std::vector<uint32_t>>> plain_refutation(const Topology& topology,
                                                                                 NodeId root, uint32_t steps,
                                                                                 uint32_t conflicts);

}  // namespace quadrille
