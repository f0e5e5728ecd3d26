// Total exchange in few start-ups: what goes the same way in a step is one message.
//
// Where start-ups cost more than blocks, as few steps as the diameter are wanted, however many blocks each link then
// carries in one; where they cost about the same, a few steps more take work from the busiest links. Each member has
// its number of steps, and routes for every block through them (graphs/level_routes.h). Where nodes have fewer ports than links
// a step is parted as they need (packing/through_ports.h).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/graphs/level_bound.h"
#include "quadrille/algorithms/graphs/level_routes.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/level_route_plans.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/through_ports.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_combining;

namespace alltoall_combining_parts {
namespace {

// Whose way is kept, step by step.
constexpr uint64_t kMostBlocks = uint64_t{1} << 21U;
constexpr uint64_t kMostBlocksOfAnyDiameter = uint64_t{1} << 18U;
constexpr uint64_t kMostLevels = uint64_t{1} << 24U;  // for all blocks together
constexpr uint64_t kMostHops = uint64_t{1} << 23U;    // of all blocks, which are gone a hundred times
constexpr uint64_t kSoonKnown = uint64_t{1} << 16U;   // blocks whose ways take a second

bool is_translated(const Topology& topology) {
  return topology.cayley() != nullptr && !topology.has_routers();
}

bool is_same_at_all_nodes(const Problem& problem) { return is_translated(problem.topology()); }

uint32_t largest_distance(const Topology& topology) {
  if (is_translated(topology)) return eccentricity(topology, NodeId{0});
  uint32_t most = 0;
  for (const NodeId v : topology.endpoints()) most = std::max(most, eccentricity(topology, v));
  return most;
}

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (Applicability fits = bundles_as_switched(with_all_links(problem)); !fits.applies) return fits;
  if (problem.collective().pieces() > 1)
    return Applicability::no("blocks in pieces take the same ways: it sends them whole");
  if (is_translated(topology)) {
    const uint64_t levels = uint64_t{topology.num_nodes()} * largest_distance(topology);
    if (levels <= kMostLevels) return Applicability::yes();
    return Applicability::no(fmt::format(
        "it searches for ways to every node step by step: nodes times diameter at most {}, of {} they are {}",
        with_thousands(kMostLevels), topology.name(), with_thousands(levels)));
  }
  const uint64_t blocks = problem.collective().block_count();
  if (blocks > kMostBlocks) {
    return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                         with_thousands(kMostBlocks), problem.title(),
                                         with_thousands(blocks)));
  }
  if (const uint64_t hops = hops_of_all_pairs(topology); hops > kMostHops) {
    return Applicability::no(fmt::format("it prices every hop of a block: at most {} of them, {} has {}",
                                         with_thousands(kMostHops), topology.name(), with_thousands(hops)));
  }
  const uint32_t least = largest_distance(topology);
  if (blocks <= kMostBlocksOfAnyDiameter || blocks * least <= kMostLevels) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it follows every block step by step: on {} nodes a diameter of at most {}, that of {} is {}",
      with_thousands(topology.num_nodes()), kMostLevels / blocks, topology.name(), least));
}

bool may_be_worth(const Problem& problem, uint32_t levels) {
  return WorthMaking::is_any_of(levels, paths_at_least(problem)) &&
         (is_translated(problem.topology()) ||
          WorthMaking::is_any_of(levels, level_rounds_at_least(problem, levels)));
}

bool is_known_soon(const Problem& problem) {
  return is_translated(problem.topology()) || problem.collective().block_count() <= kSoonKnown;
}

// Of a large network only what is known soon is looked at by time, and there start-ups are most of the time.
Effort effort_on(const Problem& problem) {
  return problem.model().switching == Switching::kPacket && is_known_soon(problem) ? Effort::kLittle
                                                                                   : Effort::kMuch;
}

Chunking chunks(const Problem&) { return {}; }

Preparation prepare_wide(const Problem& problem) {
  const uint32_t least = largest_distance(problem.topology());
  std::vector<uint32_t> members = numbers_of_levels(least);
  if (!is_known_soon(problem) && members.size() > 2) members = {least, least + least / 2};
  if (least <= 1 || LevelRoutes::are_spread(problem.topology(), least)) members.resize(1);
  const Effort effort = effort_on(problem);
  Preparation out;
  for (const uint32_t levels : members)
    out.plans.push_back(by_level_routes(problem, levels, least, may_be_worth, effort));
  return out;
}

// On a linear array with all ports alltoall_line_bundled has the fewest start-ups and the fewest rounds at once: whoever looks for
// the best need not wait for routes.
PreparedPlan unless_best_is_looked_for(const Problem& problem, const PreparedPlan& plan) {
  auto out = std::make_shared<Prepared>(
      problem, [plan](const Problem&) { return LooksForBest::is_on() ? Prediction{} : plan->prediction(); },
      [plan](const Problem&, StepSink& sink) { plan->generate(sink); }, plan->effort(), plan->member());
  out->takes_at_least(plan->least_start_ups());
  return out;
}

Preparation prepare(const Problem& problem) {
  Preparation out = through_ports(problem, prepare_wide);
  if (bundles_on_all_links(problem).applies && as_path(problem.topology()))
    for (PreparedPlan& plan : out.plans) plan = unless_best_is_looked_for(problem, plan);
  return out;
}

}  // namespace
}  // namespace alltoall_combining_parts

constinit const Algorithm alltoall_combining = {
    .name = "alltoall_combining",
    .collective = CollectiveKind::kAlltoall,
    .summary = "in each of few steps a link carries as one message all blocks that are routed over it then",
    .source = "ours; message combining after Bruck et al. 1997, prices after Garg and Koenemann 2007",
    .remarks =
        "any network; with fewer ports than links a step becomes as many as its ports need; members have from as many "
        "start-ups as the diameter to twice as many, with little more than the least possible work for the busiest links",
    .counts_alone = true,
    .same_at_all_nodes = alltoall_combining_parts::is_same_at_all_nodes,
    .applies = alltoall_combining_parts::applies,
    .chunks = alltoall_combining_parts::chunks,
    .prepare = alltoall_combining_parts::prepare,
};

}  // namespace quadrille::algorithms
