// Average status: the transfers that all blocks need together, over the transfers that fit into one step.
//
// A personalised block needs as many transfers as its distance; with one port, full duplex and no routers the
// bound of a total exchange is the average status of the nodes. A block that is copied to all needs one
// transfer for every rank that lacks it, a reduction one for every rank but one, and an allreduce both.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/queries/product_distances.h"

namespace quadrille::bounds {

extern const BoundCard average_status;

namespace average_status_parts {
namespace {

Int128 distances_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  if (const Counts* counts = collective.counts()) {
    Int128 sum = 0;
    const auto sends = [&](NodeId from) { return !counts->from(*topology.rank(from)).empty(); };
    for_each_distance_row(topology, sends, [&](NodeId from, std::span<const uint32_t> hops) {
      for (const Counts::Entry& e : counts->from(*topology.rank(from)))
        sum += Int128{e.count} * hops[index(topology.endpoint(e.to))];
    });
    return sum;
  }
  if (!collective.root()) {
    return (distance_summary(topology).average_status * Rational(topology.num_endpoints())).numerator();
  }
  const NodeId root = topology.endpoint(*collective.root());
  if (topology.is_outline()) {
    return static_cast<Int128>(
        product_distances(topology, root, collective.kind() != CollectiveKind::kScatter).sum);
  }
  const std::vector<uint32_t> hops = collective.kind() == CollectiveKind::kScatter
                                         ? distances_from(topology, root)
                                         : distances_to(topology, root);
  Int128 sum = 0;
  for (const NodeId v : topology.endpoints()) sum += hops[index(v)];
  return sum;
}

// Blocks that must move, each at least once.
Int128 moves_of(const Problem& problem) {
  if (const Counts* counts = problem.collective().counts()) return counts->moved();
  const Int128 ranks = problem.collective().num_ranks();
  return problem.collective().root() ? ranks - 1 : ranks * (ranks - 1);
}

// Hops, or, where a transfer takes a path and its ends are counted, transfers.
Int128 transfers_needed(const Problem& problem, bool over_paths = false) {
  const Int128 ranks = problem.collective().num_ranks();
  const Int128 pieces = problem.collective().pieces();
  switch (problem.collective().kind()) {
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kAlltoallv:
      return pieces * (over_paths ? moves_of(problem) : distances_of(problem));
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
      return pieces * (ranks - 1);
    case CollectiveKind::kAllgather:
    case CollectiveKind::kReduceScatter:
      return pieces * ranks * (ranks - 1);
    case CollectiveKind::kAllreduce:
      // ranks-1 until some node has everything, and then one more for each that has not.
      return pieces * 2 * (ranks - 1);
  }
  return 0;
}

constexpr std::string_view kSendPorts = "send ports";
constexpr std::string_view kReceivePorts = "receive ports";

struct StepCapacity {
  uint64_t transfers;
  std::string_view limit;
};

// All nodes' capacities: of an outline kind by kind.
template <typename Use>
void for_each_kind(const Topology& topology, Use use) {
  if (topology.is_outline()) {
    for (const NodeKind& kind : node_kinds(topology)) use(kind.out, kind.in, kind.both, kind.count);
    return;
  }
  const NodeCapacities nodes = node_capacities(topology);
  for (size_t v = 0; v < nodes.out.size(); ++v) use(nodes.out[v], nodes.in[v], nodes.both[v], 1);
}

StepCapacity step_capacity(const Problem& problem) {
  uint64_t sends = 0;
  uint64_t receives = 0;
  uint64_t links = 0;
  for_each_kind(problem.topology(), [&](uint64_t out, uint64_t in, uint64_t both, uint64_t count) {
    sends += count * limited(problem.model().send, out);
    receives += count * limited(problem.model().receive, in);
    links += count * both;
  });
  links /= 2;
  StepCapacity out{sends, problem.model().send.unlimited() ? "arcs" : kSendPorts};
  if (receives < out.transfers)
    out = {receives, problem.model().receive.unlimited() ? "arcs" : kReceivePorts};
  if (problem.model().duplex == Duplex::kHalf && links < out.transfers) out = {links, "half-duplex links"};
  return out;
}

// Everything that the steps run out of weighs one.
WeightsWitness as_witness(const Problem& problem, std::string_view limit) {
  const Topology& topology = problem.topology();
  const NodeCapacities nodes = node_capacities(topology);
  const auto binds = [](Ports ports, uint64_t capacity) {
    return !ports.unlimited() && ports.count < capacity;
  };
  const bool sends = limit == kSendPorts;
  const bool receives = limit == kReceivePorts;
  WeightsWitness out;
  std::vector<char> by_node(topology.num_nodes(), 0);
  for (const NodeId v : topology.nodes()) {
    const bool sender = sends && binds(problem.model().send, nodes.out[index(v)]);
    const bool receiver = receives && binds(problem.model().receive, nodes.in[index(v)]);
    by_node[index(v)] = sender || receiver ? 1 : 0;
    if (sender) out.senders.push_back({v, 1});
    if (receiver) out.receivers.push_back({v, 1});
  }
  for (const ArcId arc : topology.arcs()) {
    const NodeId tail = topology.tail(arc);
    const NodeId head = topology.head(arc);
    if ((sends && by_node[index(tail)] != 0) || (receives && by_node[index(head)] != 0)) continue;
    out.links.push_back({tail, head, 1});
  }
  return out;
}

// Where paths share arcs: all blocks go over their arcs in the rounds that there are, and start and end at
// the ports of nodes.
std::optional<Bound> on_shared_arcs(const Problem& problem) {
  const BlocksARound a_round(problem);
  uint64_t sends = 0;
  uint64_t receives = 0;
  uint64_t arcs = 0;
  uint64_t links = 0;
  for_each_kind(problem.topology(), [&](uint64_t out, uint64_t in, uint64_t both, uint64_t count) {
    sends += count * a_round(problem.model().send, out);
    receives += count * a_round(problem.model().receive, in);
    arcs += count * out;
    links += count * both;
  });
  const bool half = problem.model().duplex == Duplex::kHalf && links / 2 < arcs;
  std::optional<Bound> best;
  const auto offer = [&](Int128 needed, uint64_t carried, std::string_view what, std::string_view limit) {
    const Rational value = Rational::of(needed, carried);
    if (best && value <= best->value) return;
    best = Bound{average_status.name, value,
                 fmt::format("the blocks need {} {}, and all {} together allow {} a round", to_string(needed),
                             what, limit, carried),
                 BoundOn::kCriticalBlocks};
  };
  offer(transfers_needed(problem), half ? links / 2 : arcs, "hops", half ? "half-duplex links" : "arcs");
  offer(transfers_needed(problem, true), sends, "transfers", kSendPorts);
  offer(transfers_needed(problem, true), receives, "transfers", kReceivePorts);
  return best;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().num_ranks() < 2) return std::nullopt;
  if (problem.model().switching == Switching::kShared) return on_shared_arcs(problem);
  if (takes_paths(problem.model())) {
    // A worm has its arcs to itself, so the same holds. Of the others `degree` and the cuts say as much.
    if (problem.collective().kind() == CollectiveKind::kAllreduce) return on_shared_arcs(problem);
    return std::nullopt;
  }
  const Int128 needed = transfers_needed(problem);
  const StepCapacity capacity = step_capacity(problem);
  Bound out{average_status.name, Rational::of(needed, capacity.transfers),
            fmt::format("the blocks need {} transfers, and all {} together allow {} a step",
                        to_string(needed), capacity.limit, capacity.transfers)};
  if (!problem.topology().is_outline()) out.evidence = as_witness(problem, capacity.limit);
  return out;
}

}  // namespace
}  // namespace average_status_parts

constinit const BoundCard average_status = {
    .name = "average_status",
    .summary =
        "transfers that all blocks need together (the sum of distances), over the transfers that fit into one step",
    .source = "collective communication dissertation 1996, section 4.1",
    .in_proportion = true,
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = average_status_parts::evaluate,
};

}  // namespace quadrille::bounds
