// Total exchange of worms over hubs: T-2D1 and T-3D1 rebuilt, with as many start-ups or fewer.
//
// Their phases are not in the papers that we have, their costs are: 3(d-1) start-ups on 2^d x 2^d, 4d-2 on its cube, and
// 9/2 and 10 times the least blocks. With hubs of two classes 2^(d-3) apart and rings of 8 among them
// (worm_exchange/hub_exchange.h) it is 3d-4 and 4d-4 and, in the limit, 13/4 and 9/2 times. One class takes a start-up more,
// and 11/2 and 15/2 times the least blocks.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/hub_exchange.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_hubs;

namespace alltoall_wormhole_hubs_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = worms_on_torus(problem); !fits.applies) return fits;
  const std::vector<uint32_t> sides = as_torus(problem.topology())->sides;
  if (sides.size() >= 2 && std::all_of(sides.begin(), sides.end(), [](uint32_t n) { return n % 2 == 0; }))
    return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs two dimensions or more with even sides; alltoall_wormhole_rings serves {}",
                  problem.topology().name()));
}

Preparation prepare(const Problem& problem) {
  Preparation out;
  for (const HubMember& member : hub_members(*as_torus(problem.topology()))) {
    out.plans.push_back(std::make_shared<Prepared>(
        problem,
        [cost = member.cost, hops = member.hops](const Problem& p) { return prediction_of(cost, hops, p); },
        [member](const Problem& p, StepSink& sink) { hub_exchange(p, member, sink); }, Effort::kLittle,
        member.name()));
  }
  return out;
}

}  // namespace
}  // namespace alltoall_wormhole_hubs_parts

constinit const Algorithm alltoall_wormhole_hubs = {
    .name = "alltoall_wormhole_hubs",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "message combining at hubs, one on every 2^k-th place of each line: few start-ups, many blocks",
    .source = "ours; in the place of T-2D1 and T-3D1, as compared with in wormhole tori 1999, tables 3 and 4",
    .remarks =
        "one port; two dimensions or more, even sides; 3d-4 start-ups on 2^d x 2^d, 4d-4 on its cube; a family",
    .counts_alone = true,
    .applies = alltoall_wormhole_hubs_parts::applies,
    .prepare = alltoall_wormhole_hubs_parts::prepare,
};

}  // namespace quadrille::algorithms
