// Algorithms T1 and C1 of the 1999 paper: total exchange of worms by the published ring schedule, dimension
// after dimension; any torus.
//
// 2d-2 start-ups on a ring of 2^d nodes. On other sizes the paper leaves open what two neighbouring nodes of
// a level do that are both of the next one: send all they can, or nothing ("lazy"). Rings of 4 and shorter,
// where the published scheme does not work, are direct; odd ones have their extra node treated as
// worm_exchange/worm_ring.h says.
#include <array>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_t1;

namespace alltoall_wormhole_t1_parts {
namespace {

constexpr std::array kRings = {RingRecipe{.published = true}, RingRecipe{.published = true, .lazy = true}};

WormTorus build(const Problem& problem, const RingRecipe& ring) {
  const TorusShape torus = *as_torus(problem.topology());
  WormTorus out(torus, 1);
  for (size_t k = 0; k < torus.sides.size(); ++k) out.exchange({WormTorus::Work{k, ring}});
  return out;
}

// Both: which of them is better depends on the sides.
Preparation prepare(const Problem& problem) {
  Preparation out;
  for (const RingRecipe& ring : kRings) {
    out.plans.push_back(sharing(
        problem, [ring](const Problem& p) { return build(p, ring); }, worm_torus_prediction,
        send_worms_on_torus, Effort::kLittle, ring.name()));
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_t1_parts

constinit const Algorithm alltoall_wormhole_t1 = {
    .name = "alltoall_wormhole_t1",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining over the published gather-scatter tree, dimension by dimension",
    .source =
        "wormhole tori 1999, section 2, theorem 1, lemma 7; section 5 for sizes that are no power of two",
    .remarks = "one port, any torus, as published; alltoall_wormhole_rings is better",
    .counts_alone = true,
    .applies = worms_on_torus,
    .prepare = alltoall_wormhole_t1_parts::prepare,
};

}  // namespace quadrille::algorithms
