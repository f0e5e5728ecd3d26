// Total exchange of unequal counts in few start-ups: what goes the same way in a step is one message.
//
// As alltoall_combining does it: each member has its number of steps, from as many as the farthest block has hops to go, and routes
// for every block through them (graphs/level_routes.h). Blocks of one pair go different ways where that is shorter. Where nodes
// have fewer ports than links a step is parted as they need (packing/through_ports.h).
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/level_route_plans.h"
#include "quadrille/algorithms/packing/paths_at_least.h"
#include "quadrille/algorithms/packing/through_ports.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_combining;

namespace alltoallv_combining_parts {
namespace {

constexpr uint64_t kMostHops = uint64_t{1} << 24U;  // blocks times steps: whose way is kept, step by step

// Of those that have a block for each other.
uint32_t largest_distance(const Problem& problem) {
  const Topology& topology = problem.topology();
  uint32_t most = 0;
  for (const NodeId v : topology.endpoints()) {
    const auto entries = problem.collective().counts()->from(*topology.rank(v));
    if (entries.empty()) continue;
    const std::vector<uint32_t> away = distances_from(topology, v);
    for (const Counts::Entry& entry : entries)
      most = std::max(most, away[index(topology.endpoint(entry.to))]);
  }
  return most;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_as_switched(with_all_links(problem)); !fits.applies) return fits;
  const uint64_t hops = uint64_t{problem.collective().num_blocks()} * largest_distance(problem);
  if (hops <= kMostHops) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it follows every block step by step: blocks times the largest distance at most {}, of {} they are {}",
      with_thousands(kMostHops), problem.title(), with_thousands(hops)));
}

bool may_be_worth(const Problem& problem, uint32_t levels) {
  return WorthMaking::is_any_of(levels, paths_at_least(problem));
}

Preparation prepare_wide(const Problem& problem) {
  const uint32_t least = largest_distance(problem);
  std::vector<uint32_t> members = numbers_of_levels(least);
  if (least <= 1) members.resize(1);
  Preparation out;
  for (const uint32_t levels : members) {
    if (uint64_t{problem.collective().num_blocks()} * levels > 2 * kMostHops) continue;
    out.plans.push_back(by_level_routes(problem, levels, least, may_be_worth, Effort::kMuch));
  }
  return out;
}

Preparation prepare(const Problem& problem) { return through_ports(problem, prepare_wide); }

}  // namespace
}  // namespace alltoallv_combining_parts

constinit const Algorithm alltoallv_combining = {
    .name = "alltoallv_combining",
    .collective = CollectiveKind::kAlltoallv,
    .summary = "in each of few steps a link carries as one message all blocks that are routed over it then",
    .source = "ours; message combining after Bruck et al. 1997, prices after Garg and Koenemann 2007",
    .remarks =
        "any network, any counts; with fewer ports than links a step becomes as many as its ports need; members have from as "
        "many start-ups as the farthest block has hops to twice as many",
    .applies = alltoallv_combining_parts::applies,
    .prepare = alltoallv_combining_parts::prepare,
};

}  // namespace quadrille::algorithms
