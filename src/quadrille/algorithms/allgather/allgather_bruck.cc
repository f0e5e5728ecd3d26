// Allgather, Bruck's: a rank that has the blocks of w ranks in a row sends them k ways, so that all have those of (k+1) w.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_bruck;

namespace allgather_bruck_parts {
namespace {

Preparation prepared(const Problem& problem) {
  std::vector<RoundsMember> members;
  for (const uint32_t messages : messages_a_round(problem)) {
    const auto rounds = [messages](const Problem& p) {
      return bruck_allgather(p.collective().num_ranks(), messages, p.collective().pieces());
    };
    members.push_back({rounds, members.empty() ? "" : fmt::format("{}-messages", messages)});
  }
  return prepare_rounds(problem, std::move(members));
}

}  // namespace
}  // namespace allgather_bruck_parts

constinit const Algorithm allgather_bruck = {
    .name = "allgather_bruck",
    .collective = CollectiveKind::kAllgather,
    .summary = "what a rank has becomes (k+1) times as much in every round, with k ports",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, and p-1 blocks with one port; no plan beats either",
    .applies = rounds_apply,
    .prepare = allgather_bruck_parts::prepared,
};

}  // namespace quadrille::algorithms
