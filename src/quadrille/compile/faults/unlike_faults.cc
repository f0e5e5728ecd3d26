#include "quadrille/compile/faults/unlike_faults.h"

#include <optional>

#include "quadrille/base/disjoint_sets.h"
#include "quadrille/collective/collective.h"
#include "quadrille/topology/queries/symmetry.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostArcs = 1U << 16U;  // of networks that are searched for symmetries
constexpr size_t kMostSymmetries = 512;

// Whether nodes may change places, but for the root.
bool may_be_turned(const Problem& problem) {
  const Model& model = problem.model();
  return problem.collective().counts() == nullptr && model.combining == Operator::kCommutative &&
         model.routing != Routing::kDimensionOrder;
}

bool is_translated(const Problem& problem) {
  return problem.topology().cayley() != nullptr && !problem.topology().has_routers() &&
         !problem.collective().root() && problem.collective().counts() == nullptr;
}

std::optional<NodeId> root_of(const Problem& problem) {
  const std::optional<Rank> root = problem.collective().root();
  return root ? std::optional(problem.topology().endpoint(*root)) : std::nullopt;
}

std::vector<std::vector<NodeId>> symmetries_of(const Problem& problem) {
  if (!may_be_turned(problem) || problem.topology().num_arcs() > kMostArcs) return {};
  return some_symmetries(problem.topology(), root_of(problem), kMostSymmetries);
}

template <typename Id>
uint32_t number(Id id) {
  return static_cast<uint32_t>(index(id));
}

}  // namespace

std::vector<std::pair<ArcId, uint64_t>> unlike_links(const Problem& problem) {
  const Topology& net = problem.topology();
  std::vector<std::pair<ArcId, uint64_t>> out;
  if (is_translated(problem)) {
    const CayleyStructure& cayley = *net.cayley();
    const uint64_t nodes = net.num_nodes();
    for (size_t g = 0; g < cayley.generators.size(); ++g) {
      const uint32_t back = cayley.inverses[g];
      if (back < g) continue;
      out.emplace_back(cayley.arc(NodeId{0}, g), back == g ? nodes / 2 : nodes);
    }
    return out;
  }
  // A link is its arc of the lower number.
  const auto link_of = [&](ArcId arc) {
    const ArcId back = net.reverse(arc);
    return back == kNoArc || arc < back ? arc : back;
  };
  DisjointSets classes(net.num_arcs());
  for (const std::vector<NodeId>& image : symmetries_of(problem)) {
    for (const ArcId arc : net.arcs()) {
      if (link_of(arc) != arc) continue;
      const std::optional<ArcId> there =
          net.find_arc(image[index(net.tail(arc))], image[index(net.head(arc))]);
      if (there) classes.join(number(arc), number(link_of(*there)));
    }
  }
  std::vector<uint64_t> alike(net.num_arcs(), 0);
  for (const ArcId arc : net.arcs())
    if (link_of(arc) == arc) ++alike[classes.of(number(arc))];
  for (const ArcId arc : net.arcs())
    if (alike[index(arc)] > 0) out.emplace_back(arc, alike[index(arc)]);
  return out;
}

std::vector<std::pair<NodeId, uint64_t>> unlike_nodes(const Problem& problem) {
  const Topology& net = problem.topology();
  if (is_translated(problem)) return {{NodeId{0}, net.num_nodes()}};
  DisjointSets classes(net.num_nodes());
  for (const std::vector<NodeId>& image : symmetries_of(problem))
    for (const NodeId v : net.nodes()) classes.join(number(v), number(image[index(v)]));
  std::vector<uint64_t> alike(net.num_nodes(), 0);
  const std::optional<NodeId> root = root_of(problem);
  for (const NodeId v : net.nodes())
    if (v != root) ++alike[classes.of(number(v))];
  std::vector<std::pair<NodeId, uint64_t>> out;
  for (const NodeId v : net.nodes())
    if (alike[index(v)] > 0) out.emplace_back(v, alike[index(v)]);
  return out;
}

}  // namespace quadrille
