// Middle node: what a node must send and receive because the rest of the network falls apart without it.
//
// A block that must get from one part to another goes through the node: the node receives it, and sends it
// into every part that wants it. With one port that can be far more than its own blocks: the middle of a line
// of n has about n^2/2 blocks to pass on. Worms pass a node without using its ports, so this is for packets;
// and where its links limit it, not its ports, the links to one of the parts do, which is a cut.
#include <fmt/format.h>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille::bounds {

extern const BoundCard middle_node;

namespace middle_node_parts {
namespace {

constexpr uint64_t kMostCounted = 20'000'000;  // counts looked at, of all nodes together

bool ports_bind(Ports ports, uint64_t capacity) { return !ports.unlimited() && ports.count < capacity; }

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  const std::optional<Rank> root = problem.collective().root();
  const NodeId root_node = root ? topology.endpoint(*root) : kNoNode;
  const Counts* counts = problem.collective().counts();
  if (counts != nullptr && counts->entries().size() * topology.num_nodes() > kMostCounted)
    return std::nullopt;
  const NodeCapacities capacities = node_capacities(topology);
  const Separations around(topology);
  const uint64_t ranks = topology.num_endpoints();
  std::optional<Bound> best;
  const auto offer = [&](NodeId v, size_t parts, uint64_t blocks, uint64_t ports, std::string_view verb) {
    if (blocks == 0 || (best && Rational::of(blocks, ports) <= best->value)) return;
    best = Bound{middle_node.name, Rational::of(blocks, ports),
                 fmt::format("without node {} the network falls into {} parts, and it must {} {} blocks "
                             "through {}",
                             topology.label(v), parts, verb, blocks, plural(ports, "port")),
                 BoundOn::kSteps, NodeWitness{v}};
  };
  for (const NodeId v : topology.nodes()) {
    const std::vector<Separations::Part> parts = around.parts(v);
    if (parts.size() < 2) continue;
    uint64_t sends = 0;
    uint64_t receives = 0;
    for (const Separations::Part& part : parts) {
      if (counts != nullptr) {
        const Demand of_part = counted_across(problem, [&](NodeId w) { return around.is_in(part, w); });
        sends += of_part.receive;
        receives += of_part.send;
        continue;
      }
      const bool has_root = root && around.is_in(part, root_node);
      sends += blocks_leaving(problem, ranks - part.endpoints, root && !has_root);
      receives += blocks_leaving(problem, part.endpoints, has_root);
    }
    const std::optional<Rank> rank = topology.rank(v);
    const Demand own = rank ? demand_of(problem, *rank) : Demand{};
    if (ports_bind(problem.model().send, capacities.out[index(v)]) && sends > own.send)
      offer(v, parts.size(), sends, problem.model().send.count, "send");
    if (ports_bind(problem.model().receive, capacities.in[index(v)]) && receives > own.receive)
      offer(v, parts.size(), receives, problem.model().receive.count, "receive");
  }
  return best;
}

}  // namespace
}  // namespace middle_node_parts

constinit const BoundCard middle_node = {
    .name = "middle_node",
    .summary = "blocks that a node must pass on, because nothing else joins what it joins, over its ports",
    .source = "counting, over the articulation points of Hopcroft and Tarjan 1973; ours",
    .in_proportion = true,
    .knows_counts = true,
    .evaluate = middle_node_parts::evaluate,
};

}  // namespace quadrille::bounds
