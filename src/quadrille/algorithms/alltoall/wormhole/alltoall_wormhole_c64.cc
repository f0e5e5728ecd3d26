// Algorithm C64 of the 1999 paper: total exchange of worms on a three-dimensional torus.
//
// The nodes whose coordinates are the same modulo 4 form 64 logical tori, links dilated by four. Nine phases
// lead every block to the logical torus of its target, three a dimension with 48, 32 and 16 times N/64
// blocks; then four stages, in each of which three of the four groups of logical tori run the published ring
// schedule in the three dimensions.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_c64;

namespace alltoall_wormhole_c64_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const std::vector<uint32_t> sides = as_torus(problem.topology())->sides;
  if (sides.size() == 3 && std::all_of(sides.begin(), sides.end(), [](uint32_t n) { return n % 4 == 0; }))
    return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs three dimensions with sides divisible by 4: else one hop across the end of a ring "
      "leads to the wrong class; alltoall_wormhole_t1 serves {}",
      problem.topology().name()));
}

WormTorus build(const Problem& problem) {
  const std::vector<RingRecipe> rings(3, {.published = true});
  WormTorus out(*as_torus(problem.topology()), 4);
  for (size_t k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) out.creep(k);
  }
  for (size_t stage = 0; stage < 4; ++stage) out.exchange(cyclic_stage(stage, 4, rings));
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_c64_parts

constinit const Algorithm alltoall_wormhole_c64 = {
    .name = "alltoall_wormhole_c64",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on 64 logical tori, whose four groups take turns with the three dimensions",
    .source = "wormhole tori 1999, section 4, theorem 3",
    .remarks =
        "one port; three dimensions, sides divisible by 4, as published; alltoall_wormhole_classes is "
        "better",
    .counts_alone = true,
    .applies = alltoall_wormhole_c64_parts::applies,
    .prepare = by_plan<alltoall_wormhole_c64_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
