// Allgather in nested groups of ranks that lie near each other: blocks go far while they are few.
//
// In the first round every rank sends its block to one member of each of the outermost groups; in the next one of each of the
// groups within them gets it, and so on, in the last all others: each from the nearest rank that has it by then, in its own
// group or in another (placed_ranks/routed/shared_round.h). Which member of a group gets a block is said by places: that at the
// place which the block's rank has in its own group. So those who have a block are as far apart as their groups are, as in a
// level tree (torus_classes/level_tree.h), and each has about as many blocks as the others.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/placed_ranks/nested_groups.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"
#include "quadrille/algorithms/placed_ranks/routed/shared_round.h"
#include "quadrille/algorithms/torus_classes/level_tree.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_nested_groups;

namespace allgather_nested_groups_parts {
namespace {

constexpr uint32_t kMostRanks = 2048;
constexpr uint32_t kMostRounds = 8;
// Of more, two rounds are looked at at once.
constexpr uint32_t kFewRanks = 128;
// Ranks times links, each of which a round looks at for each block.
constexpr uint64_t kMostLooks = uint64_t{1} << 24U;
// What one round more must leave of the hops.
constexpr double kWorthARound = 0.97;
// Hops are known nearly, and links do not carry the same: on grids, tori of unequal sides, random graphs and through switches the
// busiest had 1.4 to 7 times its share, and with more rounds hardly ever a smaller part of it.
constexpr double kMostlyMore = 1.25;
constexpr double kHardlyLess = 0.8;

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (problem.model().switching == Switching::kPacket) return on_shared_links(problem);
  if (!model.send.unlimited() || !model.receive.unlimited())
    return Applicability::no("a node sends many messages in a step; the model limits its ports");
  if (model.duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  if (model.routing != Routing::kAny)
    return Applicability::no("its paths turn where links are free; the model fixes them");
  const uint32_t ranks = problem.collective().num_ranks();
  // On tori of two to four dimensions these had a third to seven eighths of the rounds.
  if (ranks <= kMostNodesOfLevelTrees && TorusClasses::of(problem.topology()))
    return Applicability::no("on a torus the trees of allgather_levels burden links less");
  if (ranks > kMostRanks || uint64_t{ranks} * problem.topology().num_arcs() > kMostLooks) {
    return Applicability::no(fmt::format(
        "every block looks for its ways through the network: for up to {} ranks, and arcs up to {} over the ranks; {} has {}, and {} arcs",
        with_thousands(kMostRanks), with_thousands(kMostLooks), problem.topology().name(),
        with_thousands(ranks), with_thousands(problem.topology().num_arcs())));
  }
  return on_shared_links(problem);
}

using Rounds = std::vector<SharedRound>;

// Blocks of all classes alike, everywhere.
uint32_t class_of(uint32_t source, uint32_t classes) {
  return static_cast<uint32_t>((source * uint64_t{0x9e3779b97f4a7c15U} >> 32U) % classes);
}

// Who has a block, in the order in which they get it, and how many have it before each round and after the last; which does not depend
// on the ways that it takes.
struct Holders {
  std::vector<uint32_t> ranks;
  std::vector<size_t> before{1};

  Holders(const std::vector<GroupLevel>& levels, uint32_t source) : ranks{source} {
    std::vector<bool> has;
    for (const GroupLevel& level : levels) {
      has.assign(level.groups, false);
      for (const uint32_t rank : ranks) has[level.group_of[rank]] = true;
      for (uint32_t g = 0; g < level.groups; ++g)
        if (!has[g]) ranks.push_back(level.member(g, level.place_of[source]));
      before.push_back(ranks.size());
    }
  }
};

// Where sizes do not divide, all groups may have a block before its last round. Looked at are the rounds of one block.
uint32_t rounds_at_least(const NestedGroups& nested, uint32_t count) {
  const Holders holders(nested.levels(count, class_of(0, nested.classes())), 0);
  uint32_t out = 0;
  for (uint32_t round = 0; round < count; ++round)
    out += holders.before[round + 1] > holders.before[round] ? 1 : 0;
  return out;
}

Rounds find_rounds(const Topology& topology, const NestedGroups& nested, uint32_t count) {
  const uint32_t ranks = topology.num_endpoints();
  std::vector<std::vector<GroupLevel>> levels;
  for (uint32_t klass = 0; klass < nested.classes(); ++klass) levels.push_back(nested.levels(count, klass));
  // So all rounds can be looked at at once.
  std::vector<Holders> holders;
  holders.reserve(ranks);
  for (uint32_t source = 0; source < ranks; ++source)
    holders.emplace_back(levels[class_of(source, nested.classes())], source);
  std::vector<std::optional<SharedRound>> made(count);
  const auto make = [&](uint32_t round) {
    std::vector<SharedRound::Spread> spreads;
    for (uint32_t source = 0; source < ranks; ++source) {
      const auto& [all, before] = holders[source];
      const std::span<const uint32_t> have(all);
      spreads.push_back({source, have.first(before[round]),
                         have.subspan(before[round], before[round + 1] - before[round])});
    }
    made[round].emplace(topology, spreads);
  };
  std::atomic<uint32_t> next{0};
  const auto make_some = [&] {
    for (uint32_t round = next++; round < count; round = next++) make(round);
  };
  if (ranks > kFewRanks)
    both_at_once(make_some, make_some);
  else
    make_some();
  Rounds out;
  for (std::optional<SharedRound>& round : made)
    if (round->num_messages() > 0) out.push_back(*std::move(round));
  return out;
}

// Groups, and rounds of them, are asked for again: for other numbers of pieces, and by whoever borrows.
std::shared_ptr<const NestedGroups> groups_of(const Topology& topology) {
  static LastAnswers<std::vector<uint32_t>, std::shared_ptr<const NestedGroups>> kept(2);
  const std::vector<uint32_t> sides = sides_of(topology);
  return kept.of(topology, sides, [&] { return std::make_shared<const NestedGroups>(topology, sides); });
}

std::shared_ptr<const Rounds> rounds_of(const Topology& topology, const NestedGroups& nested,
                                        uint32_t count) {
  static LastAnswers<std::pair<std::vector<uint32_t>, uint32_t>, std::shared_ptr<const Rounds>> kept(
      kMostRounds);
  return kept.of(topology, {nested.sides(), count},
                 [&] { return std::make_shared<const Rounds>(find_rounds(topology, nested, count)); });
}

// Blocks over the busiest link of each round, added up.
uint64_t busiest_of(const Rounds& rounds) {
  uint64_t out = 0;
  for (const SharedRound& round : rounds) out += round.busiest();
  return out;
}

// Blocks that come over some link into the rank that has fewest.
double least_for_ends(const Topology& topology) {
  std::vector<uint64_t> links(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) links[index(topology.head(arc))] += topology.capacity(arc);
  uint64_t fewest = UINT64_MAX;
  for (const NodeId v : topology.endpoints()) fewest = std::min(fewest, links[index(v)]);
  return (topology.num_endpoints() - 1) / static_cast<double>(std::max<uint64_t>(1, fewest));
}

// Nothing where they were not worth making.
Prediction predicted(const Problem& problem, const std::shared_ptr<const Rounds>& rounds) {
  if (!rounds) return {};
  Prediction out{.steps = rounds->size(),
                 .start_ups = rounds->size(),
                 .critical_blocks = busiest_of(*rounds) * problem.collective().pieces(),
                 .critical_hops = 0};
  for (const SharedRound& round : *rounds) *out.critical_hops += round.longest();
  return out;
}

void generate(const Problem& problem, const Rounds& rounds, StepSink& sink) {
  const Collective& collective = problem.collective();
  StepBuilder step;
  std::vector<BlockId> blocks;
  for (const SharedRound& round : rounds) {
    for (size_t m = 0; m < round.num_messages(); ++m) {
      blocks.clear();
      for (const uint32_t source : round.blocks(m))
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks.push_back(collective.block(Rank{source}, piece));
      step.add(round.path(m), blocks);
    }
    step.flush(sink);
  }
}

Preparation prepare(const Problem& problem) {
  const Topology& topology = problem.topology();
  const std::shared_ptr<const NestedGroups> nested = groups_of(topology);
  double links = 0;
  for (const ArcId arc : topology.arcs()) links += topology.capacity(arc);
  const double for_ends = least_for_ends(topology);
  const auto times_share =
      std::make_shared<double>(kMostlyMore);  // what the busiest link has of its share, at least
  Preparation out;
  double fewest = std::numeric_limits<double>::infinity();
  for (uint32_t count = topology.num_endpoints() > 2 ? 2 : 1; count <= kMostRounds; ++count) {
    const double hops = nested->hops_in(count);
    if (hops >= fewest * kWorthARound) break;
    fewest = hops;
    const double share = hops * topology.num_endpoints() / std::max(1.0, links);
    const auto make = [=](const Problem& p) -> std::shared_ptr<const Rounds> {
      const double blocks = std::max(for_ends, *times_share * share);
      if (!WorthMaking::is_any_of(count, static_cast<uint64_t>(blocks * p.collective().pieces())))
        return nullptr;
      std::shared_ptr<const Rounds> rounds = rounds_of(p.topology(), *nested, count);
      const auto busiest = static_cast<double>(busiest_of(*rounds));
      if (share > 0) *times_share = std::max(*times_share, kHardlyLess * busiest / share);
      return rounds;
    };
    const auto push = [nested, count](const Problem& p, const std::shared_ptr<const Rounds>& rounds,
                                      StepSink& sink) {
      generate(p, rounds ? *rounds : *rounds_of(p.topology(), *nested, count), sink);
    };
    const PreparedPlan plan =
        sharing(problem, make, predicted, push, some_at_large(problem), fmt::format("rounds-{}", count));
    plan->takes_at_least(rounds_at_least(*nested, count));
    out.plans.push_back(plan);
  }
  return out;
}

// In any number: all pieces of a block go together.
Chunking chunks(const Problem&) { return {}; }

}  // namespace
}  // namespace allgather_nested_groups_parts

constinit const Algorithm allgather_nested_groups = {
    .name = "allgather_nested_groups",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "to one member of each group, then of the groups within, from the nearest who has it: far while blocks are few",
    .source = "ours; PAT and Sparbit send far first, too",
    .remarks =
        "any network of up to 2,048 ranks, shared links, all ports; as few steps as wanted, and few blocks for so few; groups are boxes of a grid, or what lies together in a graph",
    .applies = allgather_nested_groups_parts::applies,
    .chunks = allgather_nested_groups_parts::chunks,
    .prepare = allgather_nested_groups_parts::prepare,
};

}  // namespace quadrille::algorithms
