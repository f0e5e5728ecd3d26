// Algorithms T1 and C1 of the 1999 paper: total exchange of worms by the published ring schedule, dimension
// after dimension; any torus.
//
// 2d-2 start-ups on a ring of 2^d nodes. On other sizes the paper leaves open what two neighbouring nodes of
// a level do that are both of the next one: send all they can, or nothing ("lazy"). Rings of 4 and shorter,
// where the published scheme does not work, are direct; odd ones have their extra node treated as
// worm_exchange/worm_ring.h says.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_t1;

namespace alltoall_wormhole_t1_parts {
namespace {

constexpr std::array kRings = {RingRecipe{.published = true}, RingRecipe{.published = true, .lazy = true}};

struct Built {
  WormTorus torus;
  WormCost cost;
  uint64_t hops;
};
using KeptBuilt = std::shared_ptr<const Built>;

// A ring of a thousand nodes takes a second, and whoever chooses asks for it several times.
KeptBuilt build(const Problem& problem, const RingRecipe& ring) {
  using Key = std::pair<std::vector<uint32_t>, bool>;
  static LastAnswers<Key, KeptBuilt> kept(kRings.size());
  const TorusShape torus = *as_torus(problem.topology());
  return kept.of(problem.topology(), {torus.sides, ring.lazy}, [&] {
    WormTorus out(torus, 1);
    for (size_t k = 0; k < torus.sides.size(); ++k) out.exchange({WormTorus::Work{k, ring}});
    const WormCost cost = out.cost();
    const uint64_t hops = out.critical_hops();
    return std::make_shared<const Built>(Built{std::move(out), cost, hops});
  });
}

Prediction predicted(const Problem& problem, const KeptBuilt& built) {
  return prediction_of(built->cost, built->hops, problem);
}

void generate(const Problem& problem, const KeptBuilt& built, StepSink& sink) {
  built->torus.generate(problem, sink);
}

// Both: which of them is better depends on the sides.
Preparation prepare(const Problem& problem) {
  Preparation out;
  for (const RingRecipe& ring : kRings) {
    out.plans.push_back(sharing(
        problem, [ring](const Problem& p) { return build(p, ring); }, predicted, generate, Effort::kLittle,
        ring.name()));
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
