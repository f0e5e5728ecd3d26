// Allreduce of one block on networks that are too large to be searched: sums that are made wherever that is soon.
//
// Along the narrowest tree that is found; with few ports also to a square, or a larger cube, of nodes, which add up by recursive doubling
// (trees/cores/doubling_core.h); with all ports also what is new to a neighbour at once (partial_sums/new_sums.h), and about several
// centres (partial_sums/several_centres.h). The one of fewest steps is taken;
// on few nodes, which are searched (allreduce_search), only what is there in a moment.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/partial_sums/new_sums.h"
#include "quadrille/algorithms/partial_sums/several_centres.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/algorithms/partial_sums/tree_sums.h"
#include "quadrille/algorithms/trees/cores/doubling_core.h"
#include "quadrille/algorithms/trees/one_port_matchings.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/model/needless_ports.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_sums;

namespace allreduce_sums_parts {
namespace {

constexpr uint32_t kFewNodes = 32;
constexpr uint32_t kMostWithCentres = 1'024;

bool has_all_ports(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint64_t most = most_neighbours(net);
  return without_needless_count(problem.model().send, most).unlimited() &&
         without_needless_count(problem.model().receive, net.is_directed() ? most_links_in(net) : most)
             .unlimited();
}

uint32_t widest(const Topology& net) {
  uint32_t out = 0;
  for (const NodeId v : net.endpoints()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    for (const NodeId w : net.endpoints()) out = std::max(out, hops[index(w)]);
  }
  return out;
}

Plan written(const Problem& problem, const SumPlan& sums, const std::vector<SumSlots>& slots) {
  Plan out;
  push_sums(problem, sums, slots, out);
  return out;
}

uint32_t few_ports(const Problem& problem) {
  return std::min(problem.model().send.unlimited() ? UINT32_MAX : problem.model().send.count,
                  problem.model().receive.unlimited() ? UINT32_MAX : problem.model().receive.count);
}

// With few ports a tree is good from whose middle all are informed soon.
std::vector<std::vector<ArcId>> trees_of_few_ports(const Problem& problem) {
  constexpr size_t kMostRoots = 6;
  const Topology& net = problem.topology();
  std::vector<std::pair<uint64_t, NodeId>> roots;  // by the way to the furthest, and by all ways
  for (const NodeId v : net.nodes()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    uint64_t most = 0;
    uint64_t sum = 0;
    for (const NodeId w : net.endpoints()) {
      most = std::max<uint64_t>(most, hops[index(w)]);
      sum += hops[index(w)];
    }
    roots.emplace_back(most << 32U | sum, v);
  }
  std::ranges::stable_sort(roots, {}, &std::pair<uint64_t, NodeId>::first);
  if (roots.size() > kMostRoots) roots.resize(kMostRoots);
  std::vector<std::vector<ArcId>> out;
  for (const auto& [far, root] : roots) {
    const SpanningTree tree = best_tree_of_few_ports(net, root, few_ports(problem)).tree;
    std::vector<ArcId>& arcs = out.emplace_back();
    for (const NodeId v : tree.order) {
      if (tree.arc[index(v)] != kNoArc) arcs.push_back(tree.arc[index(v)]);
    }
  }
  return out;
}

// Up to the core, across it, and down again.
SumPlan sums_of_core(const Topology& net, const CoreBroadcast& tree) {
  SumPlan out(tree.allreduce_steps());
  std::vector<std::vector<uint32_t>> has(net.num_nodes());
  std::vector<NodeId> late_first;
  for (const NodeId v : net.nodes()) {
    if (net.rank(v)) has[index(v)].push_back(SumPlan::kOwn);
    if (tree.informed_over[index(v)] != kNoArc) late_first.push_back(v);
  }
  std::ranges::stable_sort(late_first, std::greater<>(), [&](NodeId v) { return tree.step[index(v)]; });
  for (const NodeId v : late_first) {
    const ArcId down = tree.informed_over[index(v)];
    const uint32_t sent = out.send(tree.steps + 1 - tree.step[index(v)], net.reverse(down), has[index(v)]);
    has[index(net.tail(down))].push_back(sent);
  }
  uint32_t step = tree.steps;
  for (size_t bit = 1; bit < tree.core.size(); bit *= 2) {
    ++step;
    std::vector<std::pair<NodeId, uint32_t>> heard;
    for (size_t i = 0; i < tree.core.size(); ++i) {
      const NodeId from = tree.core[i];
      const NodeId to = tree.core[i ^ bit];
      if (!has[index(from)].empty())  // a router may have nothing
        heard.emplace_back(to, out.send(step, *net.find_arc(from, to), has[index(from)]));
    }
    for (const auto& [v, message] : heard) has[index(v)].push_back(message);
  }
  for (size_t i = late_first.size(); i-- > 0;) {
    const NodeId v = late_first[i];
    out.send(step + tree.step[index(v)], tree.informed_over[index(v)], {}, true);
  }
  return out;
}

// Where links lead one way there are no trees to and fro, but one centre at least.
Plan least_of_directed(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint32_t fewest = widest(net);
  const uint32_t most = 2 * net.num_nodes();
  const std::optional<SumPlan> sums = new_sums(net, most);
  const auto slots = sums ? slots_of(net, *sums) : std::nullopt;
  if (slots && sums->steps() <= fewest) return written(problem, *sums, *slots);
  std::optional<Plan> plan = sums_of_centres(problem, fewest, slots ? sums->steps() : most);
  QUADRILLE_CHECK(plan || slots, "from one centre everybody is told");
  return plan ? *std::move(plan) : written(problem, *sums, *slots);
}

Plan least(const Problem& problem) {
  count_work(Work::kSearching);
  const Topology& net = problem.topology();
  if (net.is_directed()) return least_of_directed(problem);
  SumPlan tree = narrow_tree_sums(problem);
  const bool is_small = net.num_nodes() <= kFewNodes;
  if (!has_all_ports(problem) && !is_small) {
    for (const std::vector<ArcId>& arcs : trees_of_few_ports(problem)) {
      SumPlan other = tree_sums(problem, arcs);
      if (other.steps() < tree.steps()) tree = std::move(other);
    }
  }
  const auto tree_slots = slots_of(net, tree);
  QUADRILLE_CHECK(tree_slots.has_value(), "sums along a tree stay together");
  Plan best = written(problem, tree, *tree_slots);
  if (!has_all_ports(problem)) {
    if (is_small) return best;
    const std::optional<CoreBroadcast> core =
        best_core_broadcast(net, few_ports(problem), static_cast<uint32_t>(best.num_steps()));
    if (!core) return best;
    const SumPlan sums = sums_of_core(net, *core);
    if (const auto slots = slots_of(net, sums)) best = written(problem, sums, *slots);
    return best;
  }
  const uint32_t fewest = widest(net);
  const auto steps = [&best] { return static_cast<uint32_t>(best.num_steps()); };
  if (steps() > fewest) {
    if (const std::optional<SumPlan> sums = new_sums(net, steps())) {
      if (const auto slots = slots_of(net, *sums)) best = written(problem, *sums, *slots);
    }
  }
  if (steps() > fewest && !is_small) {
    if (std::optional<Plan> plan = sums_of_centres(problem, fewest, steps())) best = *std::move(plan);
  }
  return best;
}

// On few nodes allreduce_search has plans that are as good, and nobody needs these; nor where others have as few steps as there can be.
bool is_wanted(const Problem& problem) {
  if (problem.topology().num_nodes() <= kFewNodes) return false;
  if (!WorthMaking::is_limited()) return true;
  const uint64_t least_steps = widest(problem.topology());
  return WorthMaking::is_any_of(least_steps, least_steps);
}

Prediction predicted(const Problem& problem, Once<Plan>& made) {
  if (!made.is_made() && !is_wanted(problem)) return {};
  const Plan& plan = made.get();
  const uint64_t steps = plan.num_steps();
  Prediction out{.steps = steps, .start_ups = steps};
  if (carries_many(problem.model())) {
    const auto capacities = problem.topology().capacities();
    if (std::ranges::all_of(capacities, [](uint32_t capacity) { return capacity == 1; }))
      out.critical_blocks = steps * problem.collective().num_blocks();
    if (takes_paths(problem.model())) out.critical_hops = steps;
  }
  return out;
}

void generate(const Problem& /*problem*/, const Plan& plan, StepSink& sink) { plan.replay(sink); }

Applicability applies(const Problem& problem) {
  const Topology& net = problem.topology();
  if (net.is_directed() && (!has_all_ports(problem) || net.num_nodes() > kMostWithCentres))
    return Applicability::no(
        "with few ports, or on more than 1,024 nodes, it needs links that lead both ways");
  if (net.num_nodes() > 4'096) return Applicability::no("looks at all distances of up to 4,096 nodes");
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("needs links of full duplex");
  if (sends_single_packets(problem.model()) && problem.collective().pieces() > 1)
    return Applicability::no("sends single packets in one piece only");
  return Applicability::yes();
}

}  // namespace
}  // namespace allreduce_sums_parts

constinit const Algorithm allreduce_sums = {
    .name = "allreduce_sums",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "partial sums along a narrow tree, or to several centres and from there to all, or passed on wherever they are new",
    .source = "ours",
    .remarks = "any network of up to 4,096 nodes, any ports; for one block",
    .is_asked_last = true,
    .applies = allreduce_sums_parts::applies,
    .prepare = by_search<allreduce_sums_parts::least, allreduce_sums_parts::predicted,
                         allreduce_sums_parts::generate>,
};

}  // namespace quadrille::algorithms
