// Linear, as MPI libraries have it: every rank posts all that it sends at once. One step, where paths may share links, on
// paths that share the work of the links: of a few hundred ranks each piece has its own (packing/priced_paths.h), of more each pair
// (packing/pair_ways.h).
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/paths_at_least.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_linear;

namespace alltoall_linear_parts {
namespace {

constexpr uint64_t kMostPairs = uint64_t{1} << 22U;
constexpr uint64_t kMostHops = uint64_t{1} << 25U;  // of all of them, which are one step

uint64_t hops_of(const Problem& problem) {
  static LastAnswers<char, uint64_t> kept(2);
  return kept.of(problem.topology(), 0, [&] { return hops_of_all_pairs(problem.topology()); });
}

// More pairs than blocks are balanced for one by one: all pieces of a block go together.
bool goes_by_pairs(const Problem& problem) { return !all_at_once_apply(problem).applies; }

Applicability apply_by_pairs(const Problem& problem) {
  if (Applicability fits = ways_at_once_apply(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  const uint64_t pairs = uint64_t{topology.num_endpoints()} * topology.num_endpoints();
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("the ways of so many pairs are balanced where the routing is any alone");
  if (pairs > kMostPairs)
    return Applicability::no(fmt::format("it keeps the ways of all pairs in memory: at most {}, {} has {}",
                                         with_thousands(kMostPairs), topology.name(), with_thousands(pairs)));
  const uint64_t hops = hops_of(problem);
  if (hops <= kMostHops) return Applicability::yes();
  return Applicability::no(fmt::format("all ways are in one step: at most {} hops, {} has {}",
                                       with_thousands(kMostHops), topology.name(), with_thousands(hops)));
}

// Pieces of a block find their own ways, and those on different ways are different messages.
Applicability applies(const Problem& problem) {
  if (goes_by_pairs(problem)) return apply_by_pairs(problem);
  const uint64_t messages = uint64_t{problem.collective().num_ranks() - 1} * problem.collective().pieces();
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited() || ports.count >= messages) continue;
    return Applicability::no(fmt::format(
        "pieces go their own ways, {} of a node at once, and it has ports for {}", messages, ports.count));
  }
  return Applicability::yes();
}

using Ways = std::shared_ptr<const PairWays>;

Ways ways_of(const Problem& problem) {
  static LastAnswers<char, Ways> kept(1);
  return kept.of(problem.topology(), 0, [&] {
    count_work(Work::kSearching);
    return std::make_shared<const PairWays>(problem.topology());
  });
}

// None where that is sure not to be worth it.
Ways ways_if_wanted(const Problem& problem) {
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of(1, paths_at_least(problem))) return nullptr;
  return ways_of(problem);
}

Prediction predicted_by_pairs(const Problem& problem, const Ways& ways) {
  if (!ways) return {};
  const uint64_t pieces = problem.collective().pieces();
  return {.steps = 1,
          .start_ups = 1,
          .busiest_link = pieces * ways->busiest(),
          .critical_blocks = ways->rounds(pieces),
          .further_messages = problem.collective().num_ranks() - 2};
}

void generate_by_pairs(const Problem& problem, const Ways& made, StepSink& sink) {
  const Ways ways = made ? made : ways_of(problem);
  const Collective& collective = problem.collective();
  StepBuilder step;
  std::vector<ArcId> way;
  std::vector<BlockId> blocks(collective.pieces());
  for (uint32_t from = 0; from < collective.num_ranks(); ++from) {
    for (uint32_t to = 0; to < collective.num_ranks(); ++to) {
      if (to == from) continue;
      way.clear();
      ways->append(ways->pair(Rank{from}, Rank{to}), way);
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
        blocks[piece] = collective.block(Rank{from}, Rank{to}, piece);
      step.add(way, blocks);
    }
  }
  step.flush(sink);
}

void generate(const Problem& problem, StepSink& sink) {
  const PricedPaths paths(problem);
  StepBuilder step;
  for (size_t i = 0; i < paths.size(); ++i) {
    const BlockId block = paths.block(i);
    step.add(paths.path(i), {&block, 1});
  }
  if (!step.empty()) step.flush(sink);
}

// Where rounds are routed in a moment, paths must be as the routing says, or all are neighbours: a message for each piece.
RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  RankRounds out;
  for (uint32_t from = 0; from < collective.num_ranks(); ++from) {
    for (uint32_t to = 0; to < collective.num_ranks(); ++to) {
      if (to == from) continue;
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece) {
        const BlockId block = collective.block(Rank{from}, Rank{to}, piece);
        out.send(from, to, {&block, 1});
      }
    }
  }
  out.end_round();
  return out;
}

Preparation prepared(const Problem& problem) {
  if (goes_by_pairs(problem))
    // Soon found, and hardly anything else comes near: searches of seconds need not be made then.
    return Preparation::of(
        sharing(problem, ways_if_wanted, predicted_by_pairs, generate_by_pairs, Effort::kSome));
  if (are_soon_routed(problem) || problem.model().routing != Routing::kAny || is_complete(problem.topology()))
    return prepare_rounds(problem, {{rounds, "", true}});
  return by_measuring<measured_up_to<kMostMeasuredWorms>, generate, Effort::kLittle>(problem);
}

}  // namespace
}  // namespace alltoall_linear_parts

constinit const Algorithm alltoall_linear = {
    .name = "alltoall_linear",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "every rank sends its block to each other one in one step, over paths that share the work of the links",
    .source = "baseline; linear in Open MPI",
    .remarks = "shared switching, N-1 ports, up to 2,048 ranks; one start-up, N-1 messages of each node",
    .applies = alltoall_linear_parts::applies,
    .prepare = alltoall_linear_parts::prepared,
};

}  // namespace quadrille::algorithms
