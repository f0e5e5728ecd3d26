// T-2D2 rebuilt: total exchange of worms with 3n/4 start-ups of N/2 blocks each on n x n.
//
// 64 classes, coordinates modulo 8, in eight diagonals, groups of equal sums. Six hops lead every block to the class of its
// target; then six stages, in which no direction of a dimension has more than one group to go round (one way, one node of
// the class a phase). Four stages would do, which is alltoall_wormhole_dp2d's cost; six cost exactly what is published,
// 3 2^(d-2) start-ups and 3 2^(3d-3) blocks on 2^d x 2^d. The order of its phases may have been another one.
#include <fmt/format.h>

#include <array>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_t2d2;

namespace alltoall_wormhole_t2d2_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const TorusShape torus = *as_torus(problem.topology());
  if (torus.sides.size() == 2 && torus.sides[0] % 8 == 0 && torus.sides[1] % 8 == 0)
    return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs two dimensions with sides divisible by 8; alltoall_wormhole_rings serves {} as it is",
      problem.topology().name()));
}

// By stage and group: the dimension, or nothing. Every group has both once, and a dimension at most two groups a stage,
// of which the second goes down.
constexpr int kRests = -1;
constexpr std::array<std::array<int, 8>, 6> kStages = {
    {{0, 0, 1, kRests, kRests, kRests, kRests, kRests},
     {1, 1, kRests, 0, kRests, kRests, kRests, kRests},
     {kRests, kRests, 0, 1, 0, kRests, kRests, kRests},
     {kRests, kRests, kRests, kRests, 1, 0, 0, kRests},
     {kRests, kRests, kRests, kRests, kRests, 1, 1, 0},
     {kRests, kRests, kRests, kRests, kRests, kRests, kRests, 1}}};

WormTorus build(const Problem& problem) {
  constexpr RingRecipe kRound{.form = RingForm::kOneWay};
  WormTorus out(*as_torus(problem.topology()), 8);
  prepare_classes(out, 2, 8);
  for (const std::array<int, 8>& stage : kStages) {
    WormTorus::WorkOfGroups groups(8);
    std::array<bool, 2> taken{};
    for (size_t g = 0; g < 8; ++g) {
      if (stage[g] == kRests) continue;
      const auto dimension = static_cast<size_t>(stage[g]);
      groups[g] = WormTorus::Work{dimension, kRound, !taken[dimension]};
      taken[dimension] = true;
    }
    out.exchange(groups);
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_t2d2_parts

constinit const Algorithm alltoall_wormhole_t2d2 = {
    .name = "alltoall_wormhole_t2d2",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining on eight diagonals of a torus, which take turns in six stages",
    .source = "T-2D2, as compared with in wormhole tori 1999, table 3; rebuilt from its cost",
    .remarks = "one port; two dimensions, sides divisible by 8; 3n/4 start-ups, 3n^3/8 blocks; a baseline",
    .counts_alone = true,
    .applies = alltoall_wormhole_t2d2_parts::applies,
    .prepare = by_plan<alltoall_wormhole_t2d2_parts::build, worm_torus_prediction, send_worms_on_torus>,
};

}  // namespace quadrille::algorithms
