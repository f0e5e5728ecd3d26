// Allgather in few start-ups with few ports on any graph: neighbours that lack most of each other's blocks talk
// (packing/swarms/pair_gossip.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <utility>
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

// `most` blocks a message.
bool is_wanted(const Problem& problem, uint32_t most) {
  if (!WorthMaking::is_limited()) return true;
  const uint64_t rounds = rounds_at_least(problem, Rational(int64_t{problem.collective().num_ranks()} - 1));
  return WorthMaking::is_any_of(std::max(gossip_at_least(problem), (rounds + most - 1) / most), rounds);
}

Prediction predicted(const Problem& problem, Once<KeptGossip>& made, uint32_t most) {
  if (!made.is_made() && !is_wanted(problem, most)) return {};
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

PreparedPlan gossip_of(const Problem& problem, uint32_t most, std::string member) {
  return sharing(
      problem, [most](const Problem& p) { return kept_gossip_of(p, most); },
      [most](const Problem& p, Once<KeptGossip>& made) { return predicted(p, made, most); }, generate,
      some_at_large(problem), std::move(member));
}

// With few ports smaller messages have fewer rounds, in more steps: those of a sixty-fourth of all are nearly as many as there must
// be. With all ports others are better.
constexpr uint32_t kFewestNews = 4;
constexpr uint32_t kSmallestPart = 64;

Preparation prepare(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  const uint32_t fewest = std::max(kFewestNews, ranks / kSmallestPart);
  Preparation out;
  std::vector<uint32_t> numbers{UINT32_MAX};
  if (!problem.model().receive.unlimited())
    for (uint32_t most = std::bit_floor(ranks / 4); most >= fewest; most /= 2) numbers.push_back(most);
  for (const uint32_t most : numbers) {
    std::string member = most == UINT32_MAX ? "whole" : fmt::format("{}-news", most);
    if (numbers.size() == 1) member.clear();
    out.plans.push_back(gossip_of(problem, most, std::move(member)));
  }
  return out;
}

// All pieces of a block go together.
Chunking chunks(const Problem& /*problem*/) { return {}; }

}  // namespace
}  // namespace allgather_pair_gossip_parts

constinit const Algorithm allgather_pair_gossip = {
    .name = "allgather_pair_gossip",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "in every step those neighbours talk that lack most of each other's blocks, and pass on all that is new",
    .source = "ours; gossip in rounds: Hedetniemi, Hedetniemi and Liestman 1988",
    .remarks =
        "any graph without routers, any ports; with one port 1.3 to 1.6 log2 N start-ups on random regular graphs, or, in small "
        "messages, 1.1 to 1.25 times N-1 rounds",
    .applies = allgather_pair_gossip_parts::applies,
    .chunks = allgather_pair_gossip_parts::chunks,
    .prepare = allgather_pair_gossip_parts::prepare,
};

}  // namespace quadrille::algorithms
