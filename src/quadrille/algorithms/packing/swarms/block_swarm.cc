#include "quadrille/algorithms/packing/swarms/block_swarm.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_trees.h"
#include "quadrille/algorithms/packing/swarms/one_swarm.h"
#include "quadrille/algorithms/packing/swarms/tight_sets.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/transforms/half_duplex.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostAtBorders = 8;
constexpr uint32_t kFewAtBorders = 2;        // where none is shorter than without
constexpr uint64_t kSwarmWork = 60'000'000;  // blocks and links looked at, in all tries
constexpr uint32_t kMostSwarms = 48;         // tries
constexpr uint64_t kWorkOfWays = 320'000'000;
constexpr uint32_t kMostOfHalfDuplex = 12;  // where the last of many find hardly anything
// In passing, of few entries (nodes times blocks), where a lender hardly ever wins; but streams do.
constexpr uint32_t kMostInPassing = 8;
constexpr uint64_t kFewEntries = 400;
constexpr uint64_t kMostOfTrees = 400'000;  // links times blocks
// Of a broadcast, which is asked for in many numbers of pieces, and whatever else is, on a large network.
constexpr uint64_t kStreamWork = 8'000'000;
constexpr uint32_t kSmallNetwork = 128;

constexpr SwarmOrder kOrders[] = {
    {true, false}, {false, true}, {true, true}};          // beside that of no preference
constexpr uint64_t kMostTriedAlone = uint64_t{1} << 17U;  // pieces at nodes
constexpr uint32_t kMostInOrders = 96;                    // tries in them
// On few nodes, of which many plans are asked for at once, tries end where nobody wants what they may come to.
constexpr uint32_t kFewNodes = 20;

// Routers of few ports, whose work is needless where a swarm has them send what others bring as well, and gates between crowds, who
// have to pass on what others could bring within. A swarm of few nodes finds what trees find.
bool may_be_better_down_trees(const SwarmTask& task) {
  constexpr uint32_t kNodesOfASwarm = 32;
  return task.duplex == Duplex::kFull && !task.send.unlimited() &&
         (task.net.has_routers() || task.net.num_nodes() > kNodesOfASwarm) &&
         task.net.num_arcs() * task.origins.size() <= kMostOfTrees;
}

// The shortest of a few tries; `tell` hears of each that is shorter.
// `is_wanted` says whether so many steps are any use; nothing much shorter comes after the first tries.
template <typename Tell, typename IsWanted>
Plan best_swarm(const SwarmTask& task, uint64_t good_enough, const Tell& tell, const IsWanted& is_wanted) {
  const bool is_one_of_many =
      task.net.num_nodes() > kSmallNetwork && WorthMaking::is_asked_in_passing() && WorthMaking::is_by_time();
  uint64_t work = SearchLimits::work(is_stream(task) || is_one_of_many ? kStreamWork : kSwarmWork);
  const bool few_do = WorthMaking::is_asked_in_passing() && !WorthMaking::is_by_time() && !is_stream(task) &&
                      task.net.num_nodes() * task.origins.size() <= kFewEntries;
  const uint64_t swarms = SearchLimits::work(few_do                         ? kMostInPassing
                                             : task.duplex == Duplex::kHalf ? kMostOfHalfDuplex
                                                                            : kMostSwarms);
  const bool has_ways = !is_stream(task) && !is_one_of_many && !few_do;
  uint64_t for_ways = has_ways ? SearchLimits::work(kWorkOfWays) : 0;
  std::optional<SwarmSteps> best;
  for (uint32_t i = 0; i < swarms; ++i) {
    if (best && (best->size() <= good_enough || searches_are_stopped())) break;
    if (i >= kSwarmWays && !is_wanted(best->size() - std::max<size_t>(2, best->size() / 8))) break;
    uint64_t unlimited = UINT64_MAX;
    uint64_t& mine = !best ? unlimited : i < kSwarmWays && for_ways > 0 ? for_ways : work;
    if (mine == 0) break;
    std::optional<SwarmSteps> found =
        one_swarm(task, {.number = i, .has_ways = has_ways}, best ? best->size() - 1 : SIZE_MAX, mine);
    if (!best) {
      work -= std::min(work, UINT64_MAX - unlimited);
      for_ways -= std::min(for_ways, UINT64_MAX - unlimited);
    }
    if (found) best = std::move(found);
    tell(best->size());
  }
  if (!is_wanted(best->size() - std::max<size_t>(2, best->size() / 8))) return plan_of(*std::move(best));
  if (best->size() > good_enough && !task.send.unlimited() && has_ways) {
    const std::vector<TightSet> tight = tight_sets(task, good_enough);
    uint64_t for_borders = SearchLimits::work(kWorkOfWays);
    uint32_t tries = tight.empty() ? 0 : kFewAtBorders;
    for (uint32_t i = 0; i < tries && for_borders > 0; ++i) {
      if (best->size() <= good_enough || searches_are_stopped()) break;
      std::optional<SwarmSteps> found =
          one_swarm(task, {.number = i, .has_ways = true, .tight = tight}, best->size() - 1, for_borders);
      if (!found) continue;
      best = std::move(found);
      tries = kMostAtBorders;
      tell(best->size());
    }
  }
  if (best->size() > good_enough && is_stream(task) && !task.send.unlimited() && !is_one_of_many) {
    // A try of so many takes seconds.
    const bool are_few = task.net.num_nodes() * task.origins.size() <= kMostTriedAlone;
    const bool is_alone = are_few && !WorthMaking::is_asked_in_passing() && !WorthMaking::is_by_time();
    uint64_t for_orders = SearchLimits::work(is_alone ? kSwarmWork : kStreamWork);
    for (uint32_t i = 0; i < SearchLimits::work(kMostInOrders) && for_orders > 0; ++i) {
      if (best->size() <= good_enough || searches_are_stopped()) break;
      if (std::optional<SwarmSteps> found = one_swarm(
              task, {.number = i / std::size(kOrders), .preferred = kOrders[i % std::size(kOrders)]},
              best->size() - 1, for_orders))
        best = std::move(found);
      tell(best->size());
    }
  }
  if (best->size() > good_enough && may_be_better_down_trees(task)) {
    if (std::optional<SwarmSteps> found = send_down_block_trees(task, best->size() - 1, good_enough))
      best = std::move(found);
    tell(best->size());
  }
  return plan_of(*std::move(best));
}

// Links of half duplex, few ports: a plan for both ways at once, parted, may be shorter where routers have few ports, which trees know.
bool may_be_better_parted(const SwarmTask& task) {
  return task.duplex == Duplex::kHalf && !task.send.unlimited() &&
         (is_stream(task) || task.net.has_routers());
}

// Whoever has all ports has as many as the node of most links: said so, the swarm looks at gates, narrow places and trees, too.
bool may_be_better_with_ports(const SwarmTask& task) {
  return task.duplex == Duplex::kFull && task.send.unlimited() && task.receive.unlimited() &&
         !is_stream(task) && task.net.num_nodes() > kFewNodes;
}
Ports as_many_as_links(const Topology& net) {
  std::vector<uint64_t> out(net.num_nodes(), 0);
  std::vector<uint64_t> in(net.num_nodes(), 0);
  uint64_t most = 1;
  for (const ArcId arc : net.arcs()) {
    const uint64_t lanes = net.capacity(arc);
    most = std::max({most, out[index(net.tail(arc))] += lanes, in[index(net.head(arc))] += lanes});
  }
  return Ports{static_cast<uint32_t>(std::min<uint64_t>(most, UINT32_MAX - 1))};
}

}  // namespace

Plan swarm_blocks(const Problem& problem, uint64_t least) {
  const uint64_t good_enough = good_enough_steps(problem, least);
  if (const auto known = KeptPaths::swarm(problem, good_enough)) {
    tell_found(problem, known->num_steps());
    return *known;
  }
  SwarmTask task{problem.topology(), problem.model().send, problem.model().receive};
  task.duplex = problem.model().duplex;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b)
    task.origins.push_back(problem.origin(BlockId{b}));
  const auto tell = [&](uint64_t steps) { tell_found(problem, steps); };
  bool is_unwanted = false;
  const auto is_wanted = [&](uint64_t steps) {
    if (task.net.num_nodes() <= kFewNodes && WorthMaking::is_by_time())
      is_unwanted = is_unwanted || !WorthMaking::is_any_of_packets(steps);
    return !is_unwanted;
  };
  Plan plan = best_swarm(task, good_enough, tell, is_wanted);
  if (is_unwanted) return plan;  // and not kept for those who may want a better one
  if (plan.num_steps() > good_enough && may_be_better_parted(task)) {
    task.duplex = Duplex::kFull;
    const auto tell_nobody = [](uint64_t /*steps*/) {};
    const std::optional<Plan> parted =
        on_half_duplex_links(problem, best_swarm(task, good_enough, tell_nobody, is_wanted));
    if (parted && parted->num_steps() < plan.num_steps()) plan = *parted;
    tell(plan.num_steps());
  }
  if (plan.num_steps() > good_enough && may_be_better_with_ports(task)) {
    task.send = task.receive = as_many_as_links(task.net);
    Plan other = best_swarm(task, good_enough, tell, is_wanted);
    if (other.num_steps() < plan.num_steps()) plan = std::move(other);
    tell(plan.num_steps());
  }
  KeptPaths::keep_swarm(problem, good_enough, plan);
  return plan;
}

Plan swarm_blocks(const SwarmTask& task, uint64_t least) {
  return best_swarm(
      task, least, [](uint64_t /*steps*/) {}, [](uint64_t /*steps*/) { return true; });
}

uint64_t swarm_looks(const Topology& topology, uint64_t blocks) {
  uint64_t looks = 0;
  for (const ArcId arc : topology.arcs()) {
    const uint64_t lanes = std::min<uint64_t>(topology.capacity(arc), blocks);
    looks += lanes * lanes;
  }
  return looks;
}

uint64_t stream_looks(const Problem& broadcast) {
  const Topology& net = broadcast.topology();
  const uint64_t pieces = broadcast.collective().pieces();
  if (!looks_at_few(net, pieces, true)) return looks_at_all(net, pieces);
  std::vector<uint64_t> lanes(net.num_nodes(), 0);
  std::vector<uint64_t> links(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) {
    lanes[index(net.head(arc))] += net.capacity(arc);
    ++links[index(net.head(arc))];
  }
  const Ports ports = broadcast.model().receive;
  uint64_t looks = 0;
  for (const NodeId v : net.nodes()) {
    const uint64_t channels =
        ports.unlimited() ? lanes[index(v)] : std::min<uint64_t>(lanes[index(v)], ports.count);
    looks += channels * kEnoughPerChannel * links[index(v)];
  }
  // Most nodes are near the root.
  const uint64_t behind = 64 + uint64_t{2} * eccentricity(net, broadcast.origin(BlockId{0}));
  return std::min(steps_of_stream(net, pieces), pieces + behind) * looks;
}

}  // namespace quadrille
