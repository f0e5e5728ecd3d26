// Total exchange in few start-ups with few ports on any graph: the steps of a gossip (packing/swarms/pair_gossip.h), in which a
// block goes the way that news of its origin took to its destination.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/swarms/pair_gossip.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_pair_gossip;

namespace alltoall_pair_gossip_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 20U;
constexpr uint64_t kMostHops = uint64_t{1} << 26U;  // of all blocks

struct Pair {
  uint32_t origin;
  uint32_t destination;
};

struct Exchange {
  std::shared_ptr<const PairGossip> gossip;
  std::vector<std::vector<Pair>> carried;  // per message, over all steps
};

Exchange exchange_of(const Problem& problem) {
  Exchange out{kept_gossip(problem), {}};
  const Topology& net = problem.topology();
  const size_t n = net.num_nodes();
  std::vector<const PairGossip::Message*> messages;
  std::vector<uint32_t> over(
      n * n, UINT32_MAX);  // per origin and node: the message that brought the one to the other
  for (uint32_t t = 0; t < out.gossip->num_steps(); ++t) {
    for (const PairGossip::Message& message : out.gossip->messages(t)) {
      for (const uint32_t origin : out.gossip->origins(message))
        over[origin * n + index(net.head(message.arc))] = static_cast<uint32_t>(messages.size());
      messages.push_back(&message);
    }
  }
  out.carried.resize(messages.size());
  for (uint32_t origin = 0; origin < n; ++origin) {
    for (uint32_t destination = 0; destination < n; ++destination) {
      for (size_t at = destination; at != origin;) {
        const uint32_t message = over[origin * n + at];
        out.carried[message].push_back({origin, destination});
        at = index(net.tail(messages[message]->arc));
      }
    }
  }
  return out;
}

// By step and message, how many blocks it carries: those for whoever hears of their origin by it, or from one of these.
std::vector<std::vector<uint32_t>> carried_by(const Topology& net, const PairGossip& gossip) {
  const size_t n = net.num_nodes();
  std::vector<uint32_t> beyond(n * n, 1);  // per origin and node: those who hear from it, and itself
  std::vector<std::vector<uint32_t>> out(gossip.num_steps());
  for (uint32_t t = gossip.num_steps(); t-- > 0;) {
    for (const PairGossip::Message& message : gossip.messages(t)) {
      uint32_t& blocks = out[t].emplace_back(0);
      for (const uint32_t origin : gossip.origins(message)) {
        const uint32_t here = beyond[origin * n + index(net.head(message.arc))];
        blocks += here;
        beyond[origin * n + index(net.tail(message.arc))] += here;
      }
    }
  }
  return out;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = gossip_applies(problem); !fits.applies) return fits;
  if (problem.collective().num_blocks() > kMostBlocks) {
    return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                         with_thousands(kMostBlocks), problem.title(),
                                         with_thousands(problem.collective().num_blocks())));
  }
  const uint64_t hops = hops_of_all_pairs(problem.topology());
  if (hops <= kMostHops) return Applicability::yes();
  return Applicability::no(fmt::format("it lists the blocks of every message: at most {} hops, {} has {}",
                                       with_thousands(kMostHops), problem.topology().name(),
                                       with_thousands(hops)));
}

// Rounds are 1.2 to 2 times as many as the least: on a large network nobody makes it to learn that it is not within a tenth.
bool is_wanted(const Problem& problem) {
  constexpr uint32_t kSmallNetwork = 128;
  if (!WorthMaking::is_limited()) return true;
  uint64_t rounds = rounds_at_least(problem, distance_summary(problem.topology()).average_status);
  if (problem.topology().num_nodes() > kSmallNetwork) rounds += rounds / 10;
  return WorthMaking::is_any_of(gossip_at_least(problem), rounds);
}

Prediction predicted(const Problem& problem, Once<Exchange>& made) {
  if (!made.is_made() && !is_wanted(problem)) return {};
  const std::shared_ptr<const PairGossip> gossip = kept_gossip(problem);
  const std::vector<std::vector<uint32_t>> carried = carried_by(problem.topology(), *gossip);
  const uint64_t pieces = problem.collective().pieces();
  std::vector<uint64_t> loads(problem.topology().num_arcs(), 0);
  uint64_t rounds = 0;
  for (uint32_t t = 0; t < gossip->num_steps(); ++t) {
    uint64_t most = 0;
    for (size_t m = 0; m < carried[t].size(); ++m) {
      most = std::max<uint64_t>(most, carried[t][m]);
      loads[index(gossip->messages(t)[m].arc)] += carried[t][m] * pieces;
    }
    rounds += most * pieces;
  }
  return {.steps = gossip->num_steps(),
          .start_ups = gossip->num_steps(),
          .busiest_link = *std::ranges::max_element(loads),
          .critical_blocks = rounds,
          .critical_hops = gossip->num_steps()};
}

void generate(const Problem& problem, const Exchange& exchange, StepSink& sink) {
  const Collective& collective = problem.collective();
  StepBuilder step;
  std::vector<BlockId> blocks;
  size_t m = 0;
  for (uint32_t t = 0; t < exchange.gossip->num_steps(); ++t) {
    for (const PairGossip::Message& message : exchange.gossip->messages(t)) {
      blocks.clear();
      for (const Pair& pair : exchange.carried[m++])
        for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
          blocks.push_back(collective.block(Rank{pair.origin}, Rank{pair.destination}, piece));
      step.add({&message.arc, 1}, blocks);
    }
    step.flush(sink);
  }
}

}  // namespace
}  // namespace alltoall_pair_gossip_parts

constinit const Algorithm alltoall_pair_gossip = {
    .name = "alltoall_pair_gossip",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "in every step neighbours talk that know least of each other, and blocks go the way that news of their origin takes",
    .source = "ours; gossip in rounds: Hedetniemi, Hedetniemi and Liestman 1988",
    .remarks =
        "any graph without routers, any ports, short messages; with one port 1.3 to 1.6 log2 N start-ups on random regular graphs",
    .applies = alltoall_pair_gossip_parts::applies,
    .prepare = by_plan<alltoall_pair_gossip_parts::exchange_of, alltoall_pair_gossip_parts::predicted,
                       alltoall_pair_gossip_parts::generate>,
};

}  // namespace quadrille::algorithms
