// Allgather in few start-ups with few ports on any graph: neighbours that lack most of each other's blocks talk
// (packing/swarms/pair_gossip.h).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/pair_gossip.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_pair_gossip;

namespace allgather_pair_gossip_parts {
namespace {

constexpr uint32_t kMostNodes = 2048;

using KeptGossip = std::shared_ptr<const PairGossip>;

Applicability applies(const Problem& problem) {
  if (Applicability fits = gossip_applies(problem); !fits.applies) return fits;
  const Topology& net = problem.topology();
  if (net.num_nodes() <= kMostNodes) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks at what each node knows of each other: up to {} nodes, {} has {}",
                  with_thousands(kMostNodes), net.name(), with_thousands(net.num_nodes())));
}

Prediction predicted(const Problem& problem, Once<KeptGossip>& made) {
  if (!made.is_made() && WorthMaking::is_limited() &&
      !WorthMaking::is_any_of(
          gossip_at_least(problem),
          rounds_at_least(problem, Rational(int64_t{problem.collective().num_ranks()} - 1))))
    return {};
  const PairGossip& gossip = *made.get();
  const uint64_t pieces = problem.collective().pieces();
  std::vector<uint64_t> loads(problem.topology().num_arcs(), 0);
  for (uint32_t t = 0; t < gossip.num_steps(); ++t)
    for (const PairGossip::Message& message : gossip.messages(t))
      loads[index(message.arc)] += (message.end - message.begin) * pieces;
  return {.steps = gossip.num_steps(),
          .start_ups = gossip.num_steps(),
          .busiest_link = *std::ranges::max_element(loads),
          .critical_blocks = gossip.rounds() * pieces,
          .critical_hops = gossip.num_steps()};
}

void generate(const Problem& problem, const KeptGossip& kept, StepSink& sink) {
  const PairGossip& gossip = *kept;
  const Collective& collective = problem.collective();
  StepBuilder step;
  std::vector<BlockId> blocks;
  for (uint32_t t = 0; t < gossip.num_steps(); ++t) {
    for (const PairGossip::Message& message : gossip.messages(t)) {
      blocks.clear();
      for (const uint32_t origin : gossip.origins(message))
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks.push_back(collective.block(Rank{origin}, piece));
      step.add({&message.arc, 1}, blocks);
    }
    step.flush(sink);
  }
}

}  // namespace
}  // namespace allgather_pair_gossip_parts

constinit const Algorithm allgather_pair_gossip = {
    .name = "allgather_pair_gossip",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "in every step those neighbours talk that lack most of each other's blocks, and pass on all that is new",
    .source = "ours; gossip in rounds: Hedetniemi, Hedetniemi and Liestman 1988",
    .remarks =
        "any graph without routers, any ports; with one port 1.3 to 1.6 log2 N start-ups on random regular graphs",
    .applies = allgather_pair_gossip_parts::applies,
    .prepare =
        by_plan<kept_gossip, allgather_pair_gossip_parts::predicted, allgather_pair_gossip_parts::generate>,
};

}  // namespace quadrille::algorithms
