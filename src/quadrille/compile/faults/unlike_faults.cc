#include "quadrille/compile/faults/unlike_faults.h"

#include <cstdint>
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

template <typename Id>
std::vector<std::vector<Id>> by_class(const std::vector<Id>& all, DisjointSets& classes) {
  constexpr size_t kNone = SIZE_MAX;
  std::vector<std::vector<Id>> out;
  std::vector<size_t> place;
  for (const Id id : all) {
    const size_t of = classes.of(number(id));
    if (place.size() <= of) place.resize(of + 1, kNone);
    if (place[of] == kNone) {
      place[of] = out.size();
      out.emplace_back();
    }
    out[place[of]].push_back(id);
  }
  return out;
}

}  // namespace

std::vector<std::vector<ArcId>> unlike_links(const Problem& problem) {
  const Topology& net = problem.topology();
  std::vector<std::vector<ArcId>> out;
  if (is_translated(problem)) {
    const CayleyStructure& cayley = *net.cayley();
    for (size_t g = 0; g < cayley.generators.size(); ++g) {
      const uint32_t back = cayley.inverses[g];
      if (back < g) continue;
      std::vector<ArcId>& links = out.emplace_back();
      for (const NodeId v : net.nodes()) {
        const ArcId arc = cayley.arc(v, g);
        if (back != g || arc < net.reverse(arc)) links.push_back(arc);
      }
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
  std::vector<ArcId> links;
  for (const ArcId arc : net.arcs())
    if (link_of(arc) == arc) links.push_back(arc);
  return by_class(links, classes);
}

std::vector<std::vector<NodeId>> unlike_nodes(const Problem& problem) {
  const Topology& net = problem.topology();
  const std::optional<NodeId> root = root_of(problem);
  std::vector<NodeId> nodes;
  for (const NodeId v : net.nodes())
    if (v != root) nodes.push_back(v);
  if (is_translated(problem)) return {nodes};
  DisjointSets classes(net.num_nodes());
  for (const std::vector<NodeId>& image : symmetries_of(problem))
    for (const NodeId v : net.nodes()) classes.join(number(v), number(image[index(v)]));
  return by_class(nodes, classes);
}

}  // namespace quadrille
