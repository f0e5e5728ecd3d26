// T-3D2 rebuilt: total exchange of worms with 3n/4 + 3 start-ups of N/2 blocks each on n x n x n.
//
// 512 classes, coordinates modulo 8, in eight diagonals. Nine hops lead every block to the class of its target; then six
// stages, in each of which four of the diagonals go round, two of them in one dimension if in opposite directions. What is
// published is 3 2^(d-2) + d start-ups and 3 2^(4d-3) + d 2^(3d-1) blocks on 2^d x 2^d x 2^d: the same at d = 3, and d-3
// phases of N/2 blocks more beyond, for which nothing is left to do here. The order of its phases may have been another.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_t3d2;

namespace alltoall_wormhole_t3d2_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const std::vector<uint32_t> sides = as_torus(problem.topology())->sides;
  if (sides.size() == 3 && std::all_of(sides.begin(), sides.end(), [](uint32_t n) { return n % 8 == 0; }))
    return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs three dimensions with sides divisible by 8; alltoall_wormhole_rings serves {} as it is",
      problem.topology().name()));
}

// Groups 0 to 3 in the first three stages, 4 to 7 in the last: x, x, y, z; y, y, z, x; z, z, x, y.
WormTorus build(const Problem& problem) {
  constexpr RingRecipe kRound{.form = RingForm::kOneWay};
  WormTorus out(*as_torus(problem.topology()), 8);
  prepare_classes(out, 3, 8);
  for (size_t stage = 0; stage < 6; ++stage) {
    WormTorus::WorkOfGroups groups(8);
    for (size_t i = 0; i < 4; ++i) {
      const size_t dimension = (stage + (i < 2 ? 0 : i - 1)) % 3;
      groups[4 * (stage / 3) + i] = WormTorus::Work{dimension, kRound, i != 1};
    }
    out.exchange(groups);
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_t3d2_parts

constinit const Algorithm alltoall_wormhole_t3d2 = {
    .name = "alltoall_wormhole_t3d2",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on eight diagonals of a torus in space, which take turns in six stages",
    .source = "T-3D2, as compared with in wormhole tori 1999, table 4; rebuilt from its cost",
    .remarks =
        "one port; three dimensions, sides divisible by 8; 3n/4+3 start-ups, 3n^4/8+3n^3/2 blocks; a baseline",
    .counts_alone = true,
    .applies = alltoall_wormhole_t3d2_parts::applies,
    .prepare = by_plan<alltoall_wormhole_t3d2_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
