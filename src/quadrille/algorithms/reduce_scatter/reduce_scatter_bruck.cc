// Reduce_scatter: the allgather_bruck, backwards.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_bruck;

namespace reduce_scatter_bruck_parts {
namespace {

Preparation prepared(const Problem& problem) {
  std::vector<RoundsMember> members;
  for (const uint32_t messages : messages_a_round(problem)) {
    const auto rounds = [messages](const Problem& p) {
      return bruck_allgather(p.collective().num_ranks(), messages, p.collective().pieces()).reversed();
    };
    members.push_back({rounds, members.empty() ? "" : fmt::format("{}-messages", messages)});
  }
  return prepare_rounds(problem, std::move(members));
}

}  // namespace
}  // namespace reduce_scatter_bruck_parts

constinit const Algorithm reduce_scatter_bruck = {
    .name = "reduce_scatter_bruck",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "what a rank has becomes (k+1) times as much in every round, with k ports; backwards",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, and p-1 blocks with one port; no plan beats either",
    .applies = rounds_apply,
    .prepare = reduce_scatter_bruck_parts::prepared,
};

}  // namespace quadrille::algorithms
