// Total exchange of worms by going round: in every dimension everything goes up, one node a phase.
//
// Saad and Schultz's exchange on a ring, dimension after dimension. Least work to understand, and about
// four times the least transmission time on a ring; a baseline.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_rotation;

namespace alltoall_wormhole_rotation_parts {
namespace {

WormTorus build(const Problem& problem) {
  const TorusShape torus = *as_torus(problem.topology());
  WormTorus out(torus, 1);
  for (size_t k = 0; k < torus.sides.size(); ++k)
    out.exchange({WormTorus::Work{k, {.form = RingForm::kOneWay}}});
  return out;
}

// By its formula: on a ring of n it moves n^3/2 blocks.
Prediction predicted(const Problem& problem, Once<WormTorus>&) {
  const TorusShape torus = *as_torus(problem.topology());
  WormCost cost;
  for (const uint32_t side : torus.sides) {
    cost.start_ups += side - 1;
    cost.blocks += uint64_t{problem.topology().num_nodes()} * (side - 1) / 2;
  }
  return prediction_of(cost, cost.start_ups, problem);  // from node to node
}

}  // namespace
}  // namespace alltoall_wormhole_rotation_parts

constinit const Algorithm alltoall_wormhole_rotation = {
    .name = "alltoall_wormhole_rotation",
    .collective = CollectiveKind::kAlltoall,
    .summary = "every node sends to its next neighbour N-1 times around each ring, dimension by dimension",
    .source = "baseline; Saad and Schultz 1989",
    .remarks = "one port, any torus; n-1 start-ups and n(n-1)/2 blocks on a ring of n",
    .counts_alone = true,
    .applies = worms_on_torus,
    .prepare = by_plan<alltoall_wormhole_rotation_parts::build, alltoall_wormhole_rotation_parts::predicted,
                       send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
