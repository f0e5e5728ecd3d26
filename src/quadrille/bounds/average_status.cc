// Average status: the transfers that all blocks need together, over the transfers that fit into one step.
//
// A personalised block needs as many transfers as its distance; with one port, full duplex and no routers the
// bound of a total exchange is the average status of the nodes. A block that is copied to all needs one
// transfer for every rank that lacks it, a reduction one for every rank but one, and an allreduce both.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard average_status;

namespace average_status_parts {
namespace {

Int128 distances_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  if (!collective.root()) {
    return (distance_summary(topology).average_status * Rational(topology.num_endpoints())).numerator();
  }
  const NodeId root = topology.endpoint(*collective.root());
  const std::vector<uint32_t> hops = collective.kind() == CollectiveKind::kScatter
                                         ? distances_from(topology, root)
                                         : distances_to(topology, root);
  Int128 sum = 0;
  for (const NodeId v : topology.endpoints()) sum += hops[index(v)];
  return sum;
}

Int128 transfers_needed(const Problem& problem) {
  const Int128 ranks = problem.collective().num_ranks();
  const Int128 pieces = problem.collective().pieces();
  switch (problem.collective().kind()) {
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAlltoall:
      return pieces * distances_of(problem);
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

struct StepCapacity {
  uint64_t transfers;
  std::string_view limit;
};

StepCapacity step_capacity(const Problem& problem) {
  const NodeCapacities nodes = node_capacities(problem.topology());
  uint64_t sends = 0;
  uint64_t receives = 0;
  uint64_t links = 0;
  for (size_t v = 0; v < nodes.out.size(); ++v) {
    sends += limited(problem.model().send, nodes.out[v]);
    receives += limited(problem.model().receive, nodes.in[v]);
    links += nodes.both[v];
  }
  links /= 2;
  StepCapacity out{sends, problem.model().send.unlimited() ? "arcs" : "send ports"};
  if (receives < out.transfers)
    out = {receives, problem.model().receive.unlimited() ? "arcs" : "receive ports"};
  if (problem.model().duplex == Duplex::kHalf && links < out.transfers) out = {links, "half-duplex links"};
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  const Int128 needed = transfers_needed(problem);
  const StepCapacity capacity = step_capacity(problem);
  return Bound{average_status.name, Rational::of(needed, capacity.transfers),
               fmt::format("the blocks need {} transfers, and all {} together allow {} a step",
                           to_string(needed), capacity.limit, capacity.transfers)};
}

}  // namespace
}  // namespace average_status_parts

constinit const BoundCard average_status = {
    .name = "average_status",
    .summary =
        "transfers that all blocks need together (the sum of distances), over the transfers that fit into one step",
    .source = "collective communication dissertation 1996, section 4.1",
    .evaluate = average_status_parts::evaluate,
};

}  // namespace quadrille::bounds
