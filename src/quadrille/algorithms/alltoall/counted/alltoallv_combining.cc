// Total exchange of unequal counts in few start-ups: what goes the same way in a step is one message.
//
// As alltoall_combining does it: each member has its number of steps, from as many as the farthest block has hops to go, and routes
// for every block through them (graphs/level_routes.h). Blocks of one pair go different ways where that is shorter. Large counts
// are those of streams of so many blocks each (count_parts.h), of which each has its route. Where nodes have fewer ports than links
// a step is parted as they need (packing/through_ports.h).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/counted/count_parts.h"
#include "quadrille/algorithms/alltoall/counted/link_messages.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/level_routes.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/level_route_plans.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/through_ports.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_combining;

namespace alltoallv_combining_parts {
namespace {

constexpr uint64_t kMostHops = uint64_t{1} << 24U;  // blocks times steps: whose way is kept, step by step
// Of fewer each has a route of its own, which is a little better; and so many, on average, are in a stream.
constexpr uint64_t kManyBlocks = uint64_t{1} << 17U;
constexpr uint64_t kFewestBlocksOfRoute = 16;

bool are_large(const Problem& problem) {
  const Counts& counts = *problem.collective().counts();
  return counts.moved() >= std::max(kManyBlocks, kFewestBlocksOfRoute * streams_of(counts));
}

// What is routed one by one.
uint64_t routed(const Problem& problem) {
  return are_large(problem) ? 2 * streams_of(*problem.collective().counts())
                            : problem.collective().num_blocks();
}

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
  const uint64_t hops = routed(problem) * largest_distance(problem);
  if (hops <= kMostHops) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it follows every block step by step: blocks times the largest distance at most {}, of {} they are {}",
      with_thousands(kMostHops), problem.title(), with_thousands(hops)));
}

bool may_be_worth(const Problem& problem, uint32_t levels) {
  return WorthMaking::is_any_of(levels, paths_at_least(problem));
}

// Streams with their steps; the n-th of all parts are one.
struct RoutedPart {
  CountPart streams;
  Plan plan{};
};
using RoutedParts = std::vector<RoutedPart>;

RoutedParts routed_parts(const Problem& problem, uint32_t levels) {
  RoutedParts out;
  for (CountPart& part : count_parts(problem)) {
    out.push_back({.streams = std::move(part)});
    const Problem& few = out.back().streams.few;
    LevelRoutes(few, levels).generate(few, out.back().plan);
  }
  return out;
}

size_t steps_of(const RoutedParts& parts) {
  size_t steps = 0;
  for (const RoutedPart& part : parts) steps = std::max(steps, part.plan.num_steps());
  return steps;
}

Prediction figures(const Problem& problem, const RoutedParts& parts) {
  RoundsOfLinks links(problem.topology());
  const size_t steps = steps_of(parts);
  uint64_t rounds = 0;
  for (size_t s = 0; s < steps; ++s) {
    for (const RoutedPart& part : parts) {
      if (s >= part.plan.num_steps()) continue;
      const StepView step = part.plan.step(s);
      for (size_t t = 0; t < step.size(); ++t)
        links.add(step.arcs(t).front(), step.blocks(t).size() * part.streams.length);
    }
    rounds += links.end_step();
  }
  return {.steps = steps, .start_ups = steps, .critical_blocks = rounds, .critical_hops = steps};
}

void generate_routed(const Problem& problem, const RoutedParts& parts, StepSink& sink) {
  StepBuilder builder;
  BlocksByArc blocks(problem);
  for (size_t s = 0; s < steps_of(parts); ++s) {
    for (const RoutedPart& part : parts) {
      if (s >= part.plan.num_steps()) continue;
      const StepView step = part.plan.step(s);
      for (size_t t = 0; t < step.size(); ++t)
        for (const BlockId stream : step.blocks(t))
          blocks.add(step.arcs(t).front(), part.streams.first[index(stream)], part.streams.length);
    }
    blocks.send(builder);
    builder.flush(sink);
  }
}

PreparedPlan by_routes_of_streams(const Problem& problem, uint32_t levels, uint32_t least) {
  const auto made = std::make_shared<Once<RoutedParts>>(
      problem, [levels](const Problem& p) { return routed_parts(p, levels); });
  const auto predicted = [made, levels](const Problem& p) -> Prediction {
    if (!made->is_made() && WorthMaking::is_limited() && !may_be_worth(p, levels)) return {};
    return figures(p, made->get());
  };
  const auto generate = [made](const Problem& p, StepSink& sink) { generate_routed(p, made->get(), sink); };
  auto out =
      std::make_shared<Prepared>(problem, predicted, generate, Effort::kMuch, fmt::format("{}", levels));
  out->takes_at_least(least);
  return out;
}

Preparation prepare_wide(const Problem& problem) {
  const uint32_t least = largest_distance(problem);
  std::vector<uint32_t> members = numbers_of_levels(least);
  if (least <= 1) members.resize(1);
  Preparation out;
  for (const uint32_t levels : members) {
    if (routed(problem) * levels > 2 * kMostHops) continue;
    out.plans.push_back(are_large(problem)
                            ? by_routes_of_streams(problem, levels, least)
                            : by_level_routes(problem, levels, least, may_be_worth, Effort::kMuch));
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
