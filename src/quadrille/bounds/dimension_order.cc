// Dimension order: what all-port worms cannot do when they must correct their coordinates first to last.
//
// Cut the dimensions 1..k before dimension j, and let A be the nodes that agree with the source in the
// dimensions before j. A worm that leaves A corrects one of these first, so it starts on one of the ports of
// these dimensions, while a worm that starts on another port of a node in A stays in A. Let D and E be the
// most links that a node has in the dimensions before j and from j on. If a nodes of A know, and o others,
// then one step later at most
//
//     a + E a  nodes of A,   o + (D+E) o + D a  others
//
// do: a worm from outside that ends in A only loses, since a node of A is never worth more than one outside.
// Whatever A holds, the others must hear in time. With (2k+1)^p nodes in each dimension, k >= 2, it is kp + 1
// steps, one more than doubling says.
//
// The same holds backwards for who has been heard of, with first and last dimensions exchanged.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

namespace quadrille::bounds {

extern const BoundCard dimension_order;

namespace dimension_order_parts {
namespace {

struct Dimension {
  uint64_t nodes = 1;
  uint64_t links = 0;  // the most of one node
};

struct Count {
  uint32_t steps = 0;
  size_t cut = 1;  // dimensions before the cut
  uint64_t inside = 1;
};

std::vector<Dimension> dimensions_of(const ProductStructure& product, bool backwards) {
  std::vector<Dimension> out;
  for (const Topology& factor : product.factors) {
    const NodeCapacities capacities = node_capacities(factor);
    const std::vector<uint64_t>& links = backwards ? capacities.in : capacities.out;
    out.push_back({factor.num_nodes(), *std::max_element(links.begin(), links.end())});
  }
  if (backwards) std::reverse(out.begin(), out.end());
  return out;
}

// Steps until all nodes outside A can know, when A is all of the dimensions from `cut` on.
Count count_steps(const std::vector<Dimension>& dimensions, size_t cut) {
  Int128 before = 0;
  Int128 beyond = 0;
  Int128 all = 1;
  Int128 inside = 1;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    (d < cut ? before : beyond) += dimensions[d].links;
    all *= dimensions[d].nodes;
    if (d >= cut) inside *= dimensions[d].nodes;
  }
  Count out{0, cut, static_cast<uint64_t>(inside)};
  Int128 a = 1;
  for (Int128 o = 0; o < all - inside; ++out.steps) {
    o += (before + beyond) * o + before * a;
    a = std::min(inside, a + beyond * a);
  }
  return out;
}

std::optional<Count> largest(const Problem& problem, bool backwards) {
  const std::vector<Dimension> dimensions = dimensions_of(*problem.topology().product(), backwards);
  uint64_t links = 0;
  for (const Dimension& dimension : dimensions) links += dimension.links;
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  if (!ports.unlimited() && ports.count < links) return std::nullopt;
  std::optional<Count> best;
  for (size_t cut = 1; cut < dimensions.size(); ++cut) {
    const Count count = count_steps(dimensions, cut);
    if (!best || count.steps > best->steps) best = count;
  }
  return best;
}

OrderWitness witness_of(const Topology& topology, const Count& count) {
  OrderWitness out{static_cast<uint32_t>(count.cut), {}};
  for (const Topology& factor : topology.product()->factors) out.sides.push_back(factor.num_nodes());
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& topology = problem.topology();
  if (model.switching != Switching::kWormhole || model.routing != Routing::kDimensionOrder)
    return std::nullopt;
  if (topology.product() == nullptr || topology.has_routers()) return std::nullopt;
  const CollectiveKind kind = problem.collective().kind();
  const bool informs = kind != CollectiveKind::kGather && kind != CollectiveKind::kReduce;
  const bool hears = kind != CollectiveKind::kBroadcast && kind != CollectiveKind::kScatter;
  const std::optional<Count> forth = informs ? largest(problem, false) : std::nullopt;
  const std::optional<Count> back = hears ? largest(problem, true) : std::nullopt;
  if (!forth && !back) return std::nullopt;
  if (forth && (!back || forth->steps >= back->steps)) {
    return Bound{
        dimension_order.name, Rational(forth->steps),
        fmt::format("worms from one node to the {} that differ from it in the first {} start on ports of "
                    "these",
                    topology.num_nodes() - forth->inside,
                    forth->cut == 1 ? "dimension" : fmt::format("{} dimensions", forth->cut)),
        BoundOn::kSteps, witness_of(topology, *forth)};
  }
  return Bound{
      dimension_order.name, Rational(back->steps),
      fmt::format("worms to one node from the {} that differ from it in the last {} end on ports of these",
                  topology.num_nodes() - back->inside,
                  back->cut == 1 ? "dimension" : fmt::format("{} dimensions", back->cut)),
      BoundOn::kSteps, witness_of(topology, *back)};
}

}  // namespace
}  // namespace dimension_order_parts

constinit const BoundCard dimension_order = {
    .name = "dimension_order",
    .summary =
        "worms in dimension order that leave a subtorus must start on the ports of the dimensions before it",
    .source = "ours",
    .knows_outlines = true,
    .evaluate = dimension_order_parts::evaluate,
};

}  // namespace quadrille::bounds
