// Scatter in as few start-ups as the farthest destination is hops away: see scattering/just_in_time.h.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/balanced_tree.h"
#include "quadrille/algorithms/trees/level_balanced_tree.h"
#include "quadrille/algorithms/trees/scattering/just_in_time.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_just_in_time;

namespace scatter_just_in_time_parts {
namespace {

constexpr uint64_t kMostHops = uint64_t{1} << 24U;   // of all blocks
constexpr uint64_t kMostLooks = uint64_t{1} << 24U;  // at a node in a step
// A tree with equal branches takes long to grow where nodes have many neighbours.
constexpr uint32_t kMostNodesOfBalanced = 2048;
constexpr uint64_t kMostNeighbours = uint64_t{1} << 20U;  // of neighbours
// Messages in steps that have at most so many rounds are what plans of single packets are.
constexpr uint64_t kFewestRounds = 4;

NodeId root_of(const Problem& problem) { return problem.topology().endpoint(*problem.collective().root()); }

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (takes_paths(model) || !carries_many(model))
    return Applicability::no(
        "messages of many packets go from neighbour to neighbour: for packet switching, many packets a step");
  if (model.queue_limit) return Applicability::no("blocks wait on their way, any number of them");
  if (problem.collective().num_ranks() < 2) return Applicability::no("a single endpoint has nothing to send");
  const SpanningTree tree = breadth_first_tree(problem.topology(), root_of(problem));
  uint64_t hops = 0;
  for (const NodeId v : tree.order) hops += uint64_t{tree.depth[index(v)]} * problem.collective().pieces();
  const uint64_t height = tree.depth[index(tree.order.back())];
  if (height * tree.order.size() > kMostLooks)
    return Applicability::no(fmt::format(
        "it looks at every node in every step: steps times nodes at most {}, of {} they are at least {}",
        with_thousands(kMostLooks), problem.topology().name(), with_thousands(height * tree.order.size())));
  if (hops <= kMostHops) return Applicability::yes();
  return Applicability::no(fmt::format("it keeps what goes over each link: at most {} block hops, {} has {}",
                                       with_thousands(kMostHops), problem.title(), with_thousands(hops)));
}

struct Way {
  const char* name;
  JustInTime::First first;
};
constexpr Way kWays[] = {{"far", JustInTime::First::kFarthest},
                         {"near", JustInTime::First::kNearest},
                         {"most", JustInTime::First::kMost},
                         {"small", JustInTime::First::kSmall}};

struct Named {
  std::string name;
  SpanningTree tree;
};

std::vector<Named> trees_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  std::vector<Named> out;
  out.push_back({"levels", level_balanced_tree(topology, root_of(problem))});
  const auto add = [&](const char* name, SpanningTree tree) {
    if (tree.arc != out.front().tree.arc) out.push_back({name, std::move(tree)});
  };
  if (topology.product() != nullptr) add("product", product_tree(topology, root_of(problem)));
  uint64_t neighbours = 0;
  for (const NodeId v : topology.nodes())
    neighbours += uint64_t{topology.out_degree(v)} * topology.out_degree(v);
  if (!topology.is_directed() && !topology.has_routers() && topology.num_nodes() <= kMostNodesOfBalanced &&
      neighbours <= kMostNeighbours)
    add("equal", balanced_tree(topology, root_of(problem)));
  return out;
}

struct Member {
  std::string name;
  JustInTime plan;
};
using Members = std::vector<Member>;

// In the order of their start-ups; each has fewer rounds than those before.
Members members_of(const Problem& problem) {
  Members found;
  for (const Named& named : trees_of(problem)) {
    bool has_ways = true;
    for (const Way& way : kWays) {
      if (!has_ways) break;
      const std::string name = fmt::format("{}-{}", named.name, way.name);
      uint64_t most_rounds = UINT64_MAX;
      has_ways = false;
      while (most_rounds >= kFewestRounds) {
        JustInTime plan(problem, named.tree, {way.first, most_rounds, kMostLooks / named.tree.order.size()});
        has_ways = has_ways || plan.had_to_choose();
        if (!plan.is_done()) break;
        const uint64_t next = plan.rounds_of_fullest_step() / 2;
        found.push_back(
            {most_rounds == UINT64_MAX ? name : fmt::format("{}-{}", name, most_rounds), std::move(plan)});
        most_rounds = next;
      }
    }
  }
  std::ranges::stable_sort(found, {}, [](const Member& one) {
    return std::pair(*one.plan.figures().start_ups, *one.plan.figures().critical_blocks);
  });
  uint64_t fewest = UINT64_MAX;
  std::erase_if(found, [&](const Member& one) {
    const uint64_t rounds = *one.plan.figures().critical_blocks;
    if (rounds >= fewest) return true;
    fewest = rounds;
    return false;
  });
  return found;
}

// A gather is a scatter read backwards, and both are asked at once.
Preparation prepare(const Problem& problem) {
  using Key = std::tuple<std::vector<uint32_t>, Rank, uint32_t, Ports>;
  using Kept = std::shared_ptr<const Members>;
  static LastAnswers<Key, Kept> kept_members(8);
  const Collective& collective = problem.collective();
  const ProductStructure* const product = problem.topology().product();
  const std::vector<uint32_t> strides = product != nullptr ? product->strides : std::vector<uint32_t>{};
  const Key key{strides, *collective.root(), collective.pieces(), problem.model().send};
  const Kept all = kept_members.of(problem.topology(), key,
                                   [&] { return std::make_shared<const Members>(members_of(problem)); });
  Preparation out;
  for (size_t m = 0; m < all->size(); ++m) {
    out.plans.push_back(std::make_shared<Prepared>(
        problem, [all, m](const Problem&) { return (*all)[m].plan.figures(); },
        [all, m](const Problem& p, StepSink& sink) { (*all)[m].plan.generate(p, sink); }, Effort::kLittle,
        (*all)[m].name));
  }
  return out;
}

// All pieces of a block go together.
Chunking chunks(const Problem&) { return {}; }

}  // namespace
}  // namespace scatter_just_in_time_parts

constinit const Algorithm scatter_just_in_time = {
    .name = "scatter_just_in_time",
    .collective = CollectiveKind::kScatter,
    .summary =
        "down a tree of shortest paths, farthest destinations first, all that must leave in a step in one message",
    .source = "ours; farthest first: theorem 3.7 of the collective communication dissertation 1996",
    .remarks =
        "any graph, any ports, many packets a step; with all ports as many start-ups as the farthest node is hops away, and as many "
        "rounds as the fullest branch of the tree has destinations, or few more",
    .applies = scatter_just_in_time_parts::applies,
    .chunks = scatter_just_in_time_parts::chunks,
    .prepare = scatter_just_in_time_parts::prepare,
};

}  // namespace quadrille::algorithms
