// Degree: a node that must send, or receive, m blocks over arcs of total capacity c needs m/c steps; with
// worms, m/c blocks on the critical path.
//
// For the root of a scatter it is (n-1)/degree. With half-duplex links, what a node sends and what it
// receives share its links.
#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::bounds {

extern const BoundCard degree;

namespace degree_parts {
namespace {

class Best {
 public:
  explicit Best(const Problem& problem) : problem_(problem) {}

  void hold(NodeId node, uint64_t blocks, uint64_t capacity, std::string_view verb) {
    if (blocks == 0) return;
    const Rational value = Rational::of(blocks, capacity);
    if (bound_ && value <= bound_->value) return;
    bound_ =
        Bound{degree.name, value,
              fmt::format("node {} must {} {} block{} over links that carry {} a step",
                          problem_.topology().label(node), verb, blocks, blocks == 1 ? "" : "s", capacity),
              counted_on(problem_), CutWitness{{node}}};
  }
  [[nodiscard]] std::optional<Bound> take() { return std::move(bound_); }

 private:
  const Problem& problem_;
  std::optional<Bound> bound_;
};

// One node of each kind, and the root: what nodes must send and receive depends on no more.
std::optional<Bound> of_outline(const Problem& problem) {
  const Topology& topology = problem.topology();
  const std::optional<Rank> root = problem.collective().root();
  Best best(problem);
  for (const NodeKind& kind : node_kinds(topology)) {
    for (const NodeId node : {kind.first, kind.last}) {
      const Demand demand = demand_of(problem, *topology.rank(node));
      best.hold(node, demand.send, kind.out, "send");
      best.hold(node, demand.receive, kind.in, "receive");
      if (problem.model().duplex == Duplex::kHalf)
        best.hold(node, demand.send + demand.receive, kind.both, "send and receive");
    }
  }
  if (!root) return best.take();
  const NodeId at = topology.endpoint(*root);
  const NodeKind own = kind_of(topology, at);
  const Demand demand = demand_of(problem, *root);
  best.hold(at, demand.send, own.out, "send");
  best.hold(at, demand.receive, own.in, "receive");
  if (problem.model().duplex == Duplex::kHalf)
    best.hold(at, demand.send + demand.receive, own.both, "send and receive");
  return best.take();
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.topology().is_outline()) return of_outline(problem);
  const NodeCapacities capacities = node_capacities(problem.topology());
  Best best(problem);
  for (uint32_t r = 0; r < problem.collective().num_ranks(); ++r) {
    const NodeId node = problem.topology().endpoint(Rank{r});
    const Demand demand = demand_of(problem, Rank{r});
    best.hold(node, demand.send, capacities.out[index(node)], "send");
    best.hold(node, demand.receive, capacities.in[index(node)], "receive");
    if (problem.model().duplex == Duplex::kHalf) {
      best.hold(node, demand.send + demand.receive, capacities.both[index(node)], "send and receive");
    }
  }
  return best.take();
}

}  // namespace
}  // namespace degree_parts

constinit const BoundCard degree = {
    .name = "degree",
    .summary = "blocks that a node must send or receive, over the capacity of its links",
    .source = "counting; collective communication dissertation 1996, section 3.3 for scatter",
    .in_proportion = true,
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = degree_parts::evaluate,
};

}  // namespace quadrille::bounds
