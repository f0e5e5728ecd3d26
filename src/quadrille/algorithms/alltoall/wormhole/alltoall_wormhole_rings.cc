// Total exchange of worms on any torus, dimension after dimension, by the best ring schedules known.
//
// Trees below and rotation above (worm_exchange/worm_ring.h), direct exchange on short rings; every
// combination over the dimensions that is not beaten is a member of the family.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_rings;

namespace alltoall_wormhole_rings_parts {
namespace {

Preparation prepare(const Problem& problem) {
  return prepare_members(problem, plain_members(*as_torus(problem.topology())));
}

}  // namespace
}  // namespace alltoall_wormhole_rings_parts

constinit const Algorithm alltoall_wormhole_rings = {
    .name = "alltoall_wormhole_rings",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "message combining ring by ring: a gather-scatter tree for few start-ups, rotation for few bytes",
    .source =
        "wormhole tori 1999, sections 2 and 5, with opposite blocks shared by parity, even levels and "
        "rotation; ours",
    .remarks =
        "one port, any torus; on rings of 2^d any factor above 1 of the least transmission time with "
        "O(log n) start-ups; a family",
    .counts_alone = true,
    .applies = worms_on_torus,
    .prepare = alltoall_wormhole_rings_parts::prepare,
};

}  // namespace quadrille::algorithms
