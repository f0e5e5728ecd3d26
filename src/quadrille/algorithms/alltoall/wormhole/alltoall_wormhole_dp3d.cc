// Diagonal propagation in three dimensions: total exchange of worms with n/2+5 start-ups on n x n x n.
//
// Classes modulo 8; the eight diagonals, groups of equal sums, are four pairs that take turns with the
// dimensions as in C64, the first of a pair going up and the second down, one node of the class a phase.
// Rebuilt from the published cost, n^4/4 + 5 n^3/2 blocks.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_dp3d;

namespace alltoall_wormhole_dp3d_parts {
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

WormTorus build(const Problem& problem) {
  constexpr RingRecipe kRound{.form = RingForm::kOneWay};
  WormTorus out(*as_torus(problem.topology()), 8);
  prepare_classes(out, 3, 8);
  for (size_t stage = 0; stage < 4; ++stage) {
    WormTorus::WorkOfGroups groups(8);
    for (size_t g = 0; g < 8; ++g) {
      const size_t dimension = (g / 2 + 4 - stage) % 4;
      if (dimension < 3) groups[g] = WormTorus::Work{dimension, kRound, g % 2 == 0};
    }
    out.exchange(groups);
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_dp3d_parts

constinit const Algorithm alltoall_wormhole_dp3d = {
    .name = "alltoall_wormhole_dp3d",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on eight diagonals of a cubic torus, each with a direction of its own",
    .source = "DP-3D, as compared with in wormhole tori 1999, table 4; rebuilt from its cost",
    .remarks = "one port; three dimensions, sides divisible by 8; n/2+5 start-ups, n^4/4+5n^3/2 blocks",
    .counts_alone = true,
    .applies = alltoall_wormhole_dp3d_parts::applies,
    .prepare = by_plan<alltoall_wormhole_dp3d_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
