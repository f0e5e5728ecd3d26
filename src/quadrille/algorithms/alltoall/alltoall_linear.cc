// Linear, as MPI libraries have it: every rank posts all that it sends at once. One step, where paths may share links, on
// paths that share the work of the links: of up to 128 ranks each piece has its own (packing/priced/priced_paths.h), of more each pair
// (placed_ranks/pairs_at_once.h).
#include <fmt/format.h>

#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/placed_ranks/pairs_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_linear;

namespace alltoall_linear_parts {
namespace {

// Pieces of a block find their own ways, and those on different ways are different messages.
Applicability applies(const Problem& problem) {
  if (goes_by_pairs(problem)) return pairs_at_once_apply(problem);
  const uint64_t messages = uint64_t{problem.collective().num_ranks() - 1} * problem.collective().pieces();
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited() || ports.count >= messages) continue;
    return Applicability::no(fmt::format(
        "pieces go their own ways, {} of a node at once, and it has ports for {}", messages, ports.count));
  }
  return Applicability::yes();
}

void blocks_of_pair(const Problem& problem, Rank from, Rank to, std::vector<BlockId>& out) {
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece)
    out.push_back(problem.collective().block(from, to, piece));
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
  if (goes_by_pairs(problem)) return prepare_pairs_at_once(problem, blocks_of_pair);
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
