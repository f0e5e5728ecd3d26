// Total exchange of worms on a torus of even sides: all links at work, by classes of nodes.
//
// With h classes (2 in two dimensions, 4 in three) every h-th node of a line is in a ring of its own.
// Preparation leads every block to the classes of its target; then h stages, in which the groups of nodes
// take turns with the dimensions (worm_exchange/worm_torus.h). T4 and C64 of the paper are of this kind; here
// the preparation is binary, n^3/2 blocks a phase in three dimensions instead of 48, 32 and 16 64ths, the
// rings are the best known, and sides need not be powers of two, nor equal: then the dimensions run in step.
#include <fmt/format.h>

#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_classes;

namespace alltoall_wormhole_classes_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const TorusShape torus = *as_torus(problem.topology());
  if (!classes_on(torus).empty()) return Applicability::yes();
  if (torus.sides.size() < 2)
    return Applicability::no("it needs at least two dimensions; alltoall_wormhole_rings serves rings");
  return Applicability::no(
      fmt::format("with {} dimensions it needs sides that are divisible by {}, which those of {} are not; "
                  "alltoall_wormhole_rings serves any sides",
                  torus.sides.size(), std::bit_ceil(torus.sides.size()), problem.topology().name()));
}

Preparation prepare(const Problem& problem) {
  const TorusShape torus = *as_torus(problem.topology());
  std::vector<TorusMember> all;
  for (const uint32_t classes : classes_on(torus)) {
    for (TorusMember& member : class_members(torus, classes)) all.push_back(std::move(member));
  }
  keep_front(all);
  return prepare_members(problem, all);
}

}  // namespace
}  // namespace alltoall_wormhole_classes_parts

constinit const Algorithm alltoall_wormhole_classes = {
    .name = "alltoall_wormhole_classes",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "message combining by classes of nodes that take turns with the dimensions, so that all links work",
    .source =
        "wormhole tori 1999, algorithms T4 and C64, with binary preparation and the rings of "
        "alltoall_wormhole_rings; ours",
    .remarks =
        "one port; sides divisible by 2 in two dimensions, by 4 in three and four; approaches the "
        "bisection bound with O(log n) start-ups; a family",
    .counts_alone = true,
    .applies = alltoall_wormhole_classes_parts::applies,
    .prepare = alltoall_wormhole_classes_parts::prepare,
};

}  // namespace quadrille::algorithms
