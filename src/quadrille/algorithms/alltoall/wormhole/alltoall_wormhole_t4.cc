// Algorithm T4 of the 1999 paper: total exchange of worms on a two-dimensional torus of even sides.
//
// The nodes whose coordinates have the same parities form four logical tori, links dilated by two. Two
// phases of N/2 blocks lead every block to the logical torus of its target; then the published ring schedule
// runs along x on two of them and along y on the others, and the other way round. 4d-6 start-ups and 2^(2d)
// blocks more than T1 on half the side with four times the blocks, for 2^d x 2^d.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_t4;

namespace alltoall_wormhole_t4_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const TorusShape torus = *as_torus(problem.topology());
  if (torus.sides.size() == 2 && torus.sides[0] % 2 == 0 && torus.sides[1] % 2 == 0)
    return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs two dimensions with even sides: across the end of an odd ring one hop leads to the "
      "wrong class; alltoall_wormhole_t1 serves {}",
      problem.topology().name()));
}

WormTorus build(const Problem& problem) {
  const std::vector<RingRecipe> rings(2, {.published = true});
  WormTorus out(*as_torus(problem.topology()), 2);
  for (const size_t k : {0U, 1U}) out.hop(k, 1, HopWay::kUp);
  for (const size_t stage : {0U, 1U}) out.exchange(cyclic_stage(stage, 2, rings));
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_t4_parts

constinit const Algorithm alltoall_wormhole_t4 = {
    .name = "alltoall_wormhole_t4",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on four logical tori, two working along x while two work along y",
    .source = "wormhole tori 1999, section 3.2, theorem 2",
    .remarks = "one port; two dimensions, even sides, as published; alltoall_wormhole_classes is better",
    .counts_alone = true,
    .applies = alltoall_wormhole_t4_parts::applies,
    .prepare = by_plan<alltoall_wormhole_t4_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
