// Total exchange of worms on any torus, dimension after dimension, by the best ring schedules known.
//
// Trees below and rotation above (worm_exchange/worm_ring.h), direct exchange on short rings; every
// combination over the dimensions that is not beaten is a member of the family.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"
#include "quadrille/base/check.h"

namespace quadrille::algorithms {
namespace {

std::vector<Member> members(const Problem& problem) {
  return named(plain_members(*as_torus(problem.topology())), problem);
}

void generate_member(const Problem& problem, std::string_view name, StepSink& sink) {
  const TorusShape torus = *as_torus(problem.topology());
  for (const TorusMember& member : plain_members(torus)) {
    if (member.name() == name) return build_member(torus, member).generate(problem, sink);
  }
  QUADRILLE_CHECK(false, std::string(name));
}

}  // namespace

constinit const Algorithm alltoall_wormhole_rings = {
    .name = "alltoall_wormhole_rings",
    .collective = CollectiveKind::kAlltoall,
    .summary = "worms, ring after ring: gather-scatter trees below, rotation above",
    .source =
        "wormhole tori 1999, sections 2 and 5, with opposite blocks shared by parity, even levels and "
        "rotation; ours",
    .remarks =
        "one port, any torus; on rings of 2^d any factor above 1 of the least transmission time with "
        "O(log n) start-ups; a family",
    .applies = worms_on_torus,
    .claimed = [](const Problem& problem) { return cheapest(members(problem), problem).claim; },
    .generate =
        [](const Problem& problem, StepSink& sink) {
          generate_member(problem, cheapest(members(problem), problem).name, sink);
        },
    .members = members,
    .generate_member = generate_member,
};

}  // namespace quadrille::algorithms
