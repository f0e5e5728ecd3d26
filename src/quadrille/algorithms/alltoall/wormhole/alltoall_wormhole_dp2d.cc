// Diagonal propagation in two dimensions: total exchange of worms with n/2+2 start-ups on n x n.
//
// Sixteen classes, coordinates modulo 4; the four diagonals, groups of equal sums, each have one direction of
// one dimension to themselves, in which everything goes round (one way, one node of the class a phase), and
// then one of the other dimension. Rebuilt from the published cost, n^3/4 + n^2 blocks; the order of its
// phases may have been another one.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_dp2d;

namespace alltoall_wormhole_dp2d_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const TorusShape torus = *as_torus(problem.topology());
  if (torus.sides.size() == 2 && torus.sides[0] % 4 == 0 && torus.sides[1] % 4 == 0)
    return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs two dimensions with sides divisible by 4; alltoall_wormhole_rings serves {} as it is",
      problem.topology().name()));
}

WormTorus build(const Problem& problem) {
  constexpr RingRecipe kRound{.form = RingForm::kOneWay};
  WormTorus out(*as_torus(problem.topology()), 4);
  prepare_classes(out, 2, 4);
  for (const size_t stage : {0U, 1U}) {
    WormTorus::WorkOfGroups groups(4);
    for (size_t g = 0; g < 4; ++g) groups[g] = WormTorus::Work{(g / 2 + stage) % 2, kRound, g % 2 == 0};
    out.exchange(groups);
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_dp2d_parts

constinit const Algorithm alltoall_wormhole_dp2d = {
    .name = "alltoall_wormhole_dp2d",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on four diagonals of a square torus, each with a direction of its own",
    .source = "DP-2D, as compared with in wormhole tori 1999, table 3; rebuilt from its cost",
    .remarks = "one port; two dimensions, sides divisible by 4; n/2+2 start-ups, n^3/4+n^2 blocks",
    .counts_alone = true,
    .applies = alltoall_wormhole_dp2d_parts::applies,
    .prepare = by_plan<alltoall_wormhole_dp2d_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
