// Node levels: blocks from distance d or more enter a node in step d at the earliest, and no more of them in a step
// than its links and ports carry.
//
// So R_d nodes at distance d or more make it take d - 1 + R_d / c steps, c what can enter the node in one: a host
// on one link of a switch waits for a step before anything can come, one of a larger network for many. The same
// backwards where blocks leave a node for others: those that have far to go must be gone d - 1 steps before the
// end. At d = 1 these are the bounds of degree and ports.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard node_levels;

namespace node_levels_parts {
namespace {

constexpr uint64_t kMostSearched = uint64_t{1} << 26U;  // links, looked at from every node

class Best {
 public:
  explicit Best(const Problem& problem)
      : problem_(problem), capacities_(node_capacities(problem.topology())) {}

  // What every other endpoint has for the node, or gets from it.
  void hold(NodeId node, bool enters) {
    const Topology& topology = problem_.topology();
    const std::vector<uint32_t> hops = enters ? distances_to(topology, node) : distances_from(topology, node);
    std::vector<uint64_t> blocks(1, 0);  // from that distance and beyond
    for (const NodeId v : topology.endpoints()) {
      blocks.resize(std::max(blocks.size(), size_t{hops[index(v)]} + 1), 0);
      blocks[hops[index(v)]] += problem_.collective().pieces();
    }
    for (size_t d = blocks.size() - 1; d-- > 0;) blocks[d] += blocks[d + 1];
    // To a sum of an allreduce the farthest contribute, too, and want it.
    if (problem_.collective().kind() == CollectiveKind::kAllreduce)
      std::fill(blocks.begin(), blocks.end(), problem_.collective().pieces());
    const Model& model = problem_.model();
    const uint64_t width = limited(enters ? model.receive : model.send,
                                   (enters ? capacities_.in : capacities_.out)[index(node)]);
    for (size_t d = 1; d < blocks.size(); ++d) {
      const Rational value = Rational(static_cast<int64_t>(d) - 1) + Rational::of(blocks[d], width);
      if (best_ && value <= best_->value) continue;
      best_ = Bound{
          node_levels.name, value,
          fmt::format("{} must {} distance {} or more {} node {}, over links and ports that carry {} a step",
                      plural(blocks[d], "block"), enters ? "come from" : "go to", d, enters ? "to" : "from",
                      topology.label(node), width),
          BoundOn::kSteps, CutWitness{{node}}};
    }
  }
  [[nodiscard]] std::optional<Bound> take() { return std::move(best_); }

 private:
  const Problem& problem_;
  NodeCapacities capacities_;
  std::optional<Bound> best_;
};

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  Best best(problem);
  if (kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather) {
    best.hold(topology.endpoint(*problem.collective().root()), kind == CollectiveKind::kGather);
    return best.take();
  }
  const bool both = kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAllreduce;
  const bool enters = both || kind == CollectiveKind::kAllgather;
  const bool leaves = both || kind == CollectiveKind::kReduceScatter;
  if (!enters && !leaves) return std::nullopt;
  const bool alike = topology.cayley() != nullptr && !topology.has_routers();
  if (!alike && uint64_t{topology.num_arcs()} * topology.num_nodes() > kMostSearched) return std::nullopt;
  for (const NodeId v : topology.endpoints()) {
    if (enters) best.hold(v, true);
    if (leaves) best.hold(v, false);
    if (alike) break;
  }
  return best.take();
}

}  // namespace
}  // namespace node_levels_parts

constinit const BoundCard node_levels = {
    .name = "node_levels",
    .summary =
        "blocks that a node must send to, or receive from, distance d or more, over its links and ports",
    .source = "counting, level by level; ours",
    .evaluate = node_levels_parts::evaluate,
};

}  // namespace quadrille::bounds
