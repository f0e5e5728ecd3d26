// Allreduce of several pieces on any graph by scarce pieces first: every piece is collected by one endpoint, and goes to all
// from there.
//
// Collecting is a swarm (packing/swarms/block_swarm.h) read backwards, over the links turned round and with the ports exchanged. Who
// collects which pieces is dealt out so that all are done at the same time: whoever has fewer links, and so hears of less in a
// step, collects more of them himself.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/only_senders.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/half_duplex.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_swarm;

namespace allreduce_swarm_parts {
namespace {

constexpr uint64_t kMostWork = 1'000'000'000;  // pieces looked at over all links, in all steps

constexpr uint32_t kSmallNetwork = 128;

// Blocks that an endpoint can receive in a step, or send, whatever is less.
std::vector<uint64_t> links_of_ranks(const Problem& problem) {
  const std::vector<NodeKind> nodes = each_node(problem.topology());
  const auto limited = [](Ports ports, uint64_t links) {
    return ports.unlimited() ? links : std::min<uint64_t>(links, ports.count);
  };
  std::vector<uint64_t> links;
  for (const NodeId v : problem.topology().endpoints())
    links.push_back(std::min(limited(problem.model().receive, nodes[index(v)].in),
                             limited(problem.model().send, nodes[index(v)].out)));
  return links;
}

// Pieces that each rank has to collect at least, so that the rest comes to it in so many steps.
uint64_t least_own(uint64_t pieces, uint64_t links, uint64_t steps) {
  return pieces - std::min(pieces, links * steps);
}

// One half: what all endpoints have to hear of but what they collect, over links of the network.
struct Half {
  const Topology& net;
  Ports send;
  const std::vector<uint64_t>& links;  // of each rank
  uint64_t pieces;
};

// In how many steps pieces that are at a node each can be at all endpoints, if every node that has something sends all that its ports and
// links let it.
uint64_t spread_at_least(const Half& half) {
  uint64_t most = 1;
  for (const NodeKind& node : each_node(half.net))
    most = std::max<uint64_t>(
        most, half.send.unlimited() ? node.out : std::min<uint64_t>(node.out, half.send.count));
  const uint64_t nodes = half.net.num_nodes();
  const uint64_t wanted = half.pieces * half.net.num_endpoints();
  uint64_t steps = 0;
  for (uint64_t copies = half.pieces; copies < wanted; ++steps) copies += most * std::min(nodes, copies);
  return steps;
}

// The fewest steps of it in which every rank can hear of what it does not collect; and, of those that all hear from one node, all.
uint64_t least_steps(const Half& half) {
  const std::vector<OnlySender> senders = only_senders(half.net, half.send);
  const auto do_suffice = [&](uint64_t steps) {
    uint64_t own = 0;
    for (const uint64_t of_rank : half.links) own += least_own(half.pieces, of_rank, steps);
    for (const OnlySender& sender : senders) {
      uint64_t alone = 0;
      for (const NodeId v : sender.receivers)
        alone += least_own(half.pieces, half.links[index(*half.net.rank(v))], steps);
      const uint64_t all = half.pieces * sender.receivers.size();
      const uint64_t together = least_own(all, sender.sends, steps - std::min(steps, sender.late));
      own += std::max(alone, together) - alone;
    }
    return own <= half.pieces;
  };
  uint64_t too_few = 0;
  uint64_t enough = 1;
  while (!do_suffice(enough)) enough *= 2;
  while (too_few + 1 < enough) {
    const uint64_t middle = (too_few + enough) / 2;
    (do_suffice(middle) ? enough : too_few) = middle;
  }
  return std::max(enough, spread_at_least(half));
}

// Those of collecting, and of sending out.
struct LeastHalves {
  uint64_t in;
  uint64_t out;
};

LeastHalves least_halves(const Problem& problem, const std::vector<uint64_t>& links) {
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t out = least_steps({net, model.send, links, pieces});
  if (!net.is_directed() && model.send == model.receive) return {out, out};
  return {least_steps({transposed(net), model.receive, links, pieces}), out};
}

// Who collects each piece: what it must, and of the rest an equal share.
std::vector<NodeId> collectors(const Problem& problem, const std::vector<uint64_t>& links,
                               const LeastHalves& halves) {
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = std::max(halves.in, halves.out);
  std::vector<uint64_t> own;
  uint64_t left = pieces;
  for (const uint64_t of_rank : links) {
    own.push_back(least_own(pieces, of_rank, steps));
    left -= own.back();
  }
  for (size_t rank = 0; rank < own.size(); ++rank)
    own[rank] += left * (rank + 1) / own.size() - left * rank / own.size();
  std::vector<NodeId> out;
  for (size_t rank = 0; rank < own.size(); ++rank)
    out.insert(out.end(), own[rank], problem.topology().endpoints()[rank]);
  return out;
}

// And every piece goes from its collector to the farthest node, and came from as far where links lead both ways.
uint64_t least(const Problem& problem) {
  const Topology& net = problem.topology();
  const std::vector<uint64_t> links = links_of_ranks(problem);
  const LeastHalves halves = least_halves(problem, links);
  const auto distances = endpoint_distances(net);
  uint64_t farthest = 0;
  for (const NodeId v : collectors(problem, links, halves))
    farthest = std::max<uint64_t>(farthest, distances->eccentricity[index(*net.rank(v))]);
  return std::max(halves.in, net.is_directed() ? 0 : farthest) + std::max(halves.out, farthest);
}

// The swarm over the links turned round, from its last step to its first.
void collect(const Topology& net, const Topology& turned, const Plan& swarm, Plan& out) {
  StepBuilder step;
  for (size_t s = swarm.num_steps(); s-- > 0;) {
    const StepView view = swarm.step(s);
    for (size_t t = 0; t < view.size(); ++t) {
      const ArcId arc = view.arcs(t)[0];
      step.add(*net.find_arc(turned.head(arc), turned.tail(arc)), view.blocks(t)[0]);
    }
    step.flush(out);
  }
}

Plan collected_and_sent_out(const Problem& problem) {
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  const std::vector<uint64_t> links = links_of_ranks(problem);
  const LeastHalves halves = least_halves(problem, links);
  const std::vector<NodeId> origins = collectors(problem, links, halves);
  const Plan out = swarm_blocks({net, model.send, model.receive, origins, model.duplex}, halves.out);
  const Topology turned = transposed(net);
  // Where both ways are alike one swarm serves both halves.
  const bool alike = turned.tails().data() == net.tails().data() && model.send == model.receive;
  Plan plan;
  collect(net, turned,
          alike ? out : swarm_blocks({turned, model.receive, model.send, origins, model.duplex}, halves.in),
          plan);
  StepBuilder step;
  for (size_t s = 0; s < out.num_steps(); ++s) {
    const StepView view = out.step(s);
    for (size_t t = 0; t < view.size(); ++t) step.add(view.arcs(t)[0], view.blocks(t)[0], TransferOp::kCopy);
    step.flush(plan);
  }
  return plan;
}

// Links of half duplex: a swarm that knows of them, or one for both ways at once that is parted, whichever is shorter.
Plan swarm_both_ways(const Problem& problem, uint64_t /*fewest*/) {
  Plan plan = collected_and_sent_out(problem);
  if (problem.model().duplex == Duplex::kFull) return plan;
  std::optional<Plan> parted =
      on_half_duplex_links(problem, collected_and_sent_out(with_full_duplex(problem)));
  return parted && parted->num_steps() < plan.num_steps() ? *std::move(parted) : plan;
}

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  const uint64_t pieces = problem.collective().pieces();
  if (pieces < 2) return Applicability::no("it deals the pieces out: 2 or more");
  const uint64_t work = pieces * pieces * swarm_looks(problem.topology(), pieces);
  if (work <= kMostWork) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks at every piece at every node in every step: at most {} times, {} takes {}",
                  with_thousands(kMostWork), problem.title(), with_thousands(work)));
}

// On small networks all numbers of pieces are tried in any case.
Chunking chunks(const Problem& problem) {
  return {.unit = 1, .streams = problem.topology().num_nodes() > kSmallNetwork};
}

Preparation prepare(const Problem& problem) { return prepare_if_wanted(problem, least, swarm_both_ways); }

}  // namespace
}  // namespace allreduce_swarm_parts

constinit const Algorithm allreduce_swarm = {
    .name = "allreduce_swarm",
    .collective = CollectiveKind::kAllreduce,
    .summary = "every piece is collected at one endpoint and goes to all from there, the scarcest ones first",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "two pieces or more, any graph, any ports; where all nodes have as many links a few steps above the bound, "
        "and with one port at it",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = allreduce_swarm_parts::applies,
    .chunks = allreduce_swarm_parts::chunks,
    .prepare = allreduce_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
