// Scatter levels: blocks for nodes at distance d or more cross from level d-1 to level d, in step d at the
// earliest, and no more of them in a step than these links and ports carry.
//
// So R_d nodes there need d - 1 + R_d / c_d steps. At d = 1 it is the bound of the root's degree; farther
// out it sees necks: on a line of five nodes 3 steps from the second one, where the degree says 2. A gather
// is the same backwards.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard scatter_levels;

namespace scatter_levels_parts {
namespace {

// What can cross into each level in a step.
std::vector<uint64_t> widths(const Problem& problem, const std::vector<uint32_t>& hops, bool gather,
                             size_t levels) {
  const Topology& topology = problem.topology();
  std::vector<uint64_t> from(topology.num_nodes(), 0);  // over links to the next level
  std::vector<uint64_t> into(topology.num_nodes(), 0);  // over links from the level before
  for (const ArcId arc : topology.arcs()) {
    const NodeId near = gather ? topology.head(arc) : topology.tail(arc);
    const NodeId far = gather ? topology.tail(arc) : topology.head(arc);
    if (hops[index(far)] <= hops[index(near)]) continue;
    from[index(near)] += topology.capacity(arc);
    into[index(far)] += topology.capacity(arc);
  }
  const Model& model = problem.model();
  std::vector<uint64_t> near_side(levels, 0);
  std::vector<uint64_t> far_side(levels, 0);
  for (const NodeId v : topology.nodes()) {
    const size_t d = hops[index(v)];
    if (d + 1 < levels) near_side[d + 1] += limited(gather ? model.receive : model.send, from[index(v)]);
    if (d < levels) far_side[d] += limited(gather ? model.send : model.receive, into[index(v)]);
  }
  for (size_t d = 0; d < levels; ++d) near_side[d] = std::min(near_side[d], far_side[d]);
  return near_side;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const CollectiveKind kind = problem.collective().kind();
  const bool gather = kind == CollectiveKind::kGather;
  if (problem.model().switching != Switching::kPacket || (kind != CollectiveKind::kScatter && !gather)) {
    return std::nullopt;
  }
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  const std::vector<uint32_t> hops = gather ? distances_to(topology, root) : distances_from(topology, root);
  std::vector<uint64_t> blocks(1, 0);  // for level d and beyond
  for (const NodeId v : topology.endpoints()) {
    blocks.resize(std::max(blocks.size(), size_t{hops[index(v)]} + 1), 0);
    blocks[hops[index(v)]] += problem.collective().pieces();
  }
  for (size_t d = blocks.size() - 1; d-- > 0;) blocks[d] += blocks[d + 1];
  const std::vector<uint64_t> width = widths(problem, hops, gather, blocks.size());
  std::optional<Bound> best;
  size_t deciding = 0;
  for (size_t d = 1; d < blocks.size(); ++d) {
    const Rational value = Rational(static_cast<int64_t>(d) - 1) + Rational::of(blocks[d], width[d]);
    if (best && value <= best->value) continue;
    best =
        Bound{scatter_levels.name, value,
              fmt::format(
                  "{} block{} must {} distance {} or more from {}, over links and ports that carry {} a step",
                  blocks[d], blocks[d] == 1 ? "" : "s", gather ? "come from" : "go to", d,
                  topology.label(root), width[d])};
    deciding = d;
  }
  if (!best) return best;
  CutWitness beyond;
  for (const NodeId v : topology.nodes())
    if (hops[index(v)] >= deciding) beyond.nodes.push_back(v);
  best->evidence = std::move(beyond);
  return best;
}

}  // namespace
}  // namespace scatter_levels_parts

constinit const BoundCard scatter_levels = {
    .name = "scatter_levels",
    .summary = "blocks for nodes at distance d or more, over what crosses to that distance in a step",
    .source = "counting; equation (3.3) of the collective communication dissertation 1996 is d = 1",
    .evaluate = scatter_levels_parts::evaluate,
};

}  // namespace quadrille::bounds
