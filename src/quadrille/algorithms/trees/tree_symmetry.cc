#include "quadrille/algorithms/trees/tree_symmetry.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

using NodeMap = std::function<uint32_t(uint32_t)>;

std::optional<TreeSymmetry> checked(const Topology& topology, NodeId root, const NodeMap& map) {
  TreeSymmetry out;
  std::vector<uint32_t> image(topology.num_nodes());
  for (uint32_t v = 0; v < image.size(); ++v) image[v] = map(v);
  if (image[index(root)] != index(root)) return std::nullopt;
  for (const NodeId v : topology.nodes()) {
    if (topology.rank(v).has_value() != topology.rank(NodeId{image[index(v)]}).has_value())
      return std::nullopt;
  }
  std::vector<bool> is_image(topology.num_arcs(), false);
  for (const ArcId arc : topology.arcs()) {
    const auto to =
        topology.find_arc(NodeId{image[index(topology.tail(arc))]}, NodeId{image[index(topology.head(arc))]});
    if (!to || topology.capacity(*to) != topology.capacity(arc) || is_image[index(*to)]) return std::nullopt;
    is_image[index(*to)] = true;
    out.image.push_back(*to);
  }
  const auto cycle = [&](ArcId arc) {
    uint32_t length = 1;
    for (ArcId at = out.image[index(arc)]; at != arc; at = out.image[index(at)]) ++length;
    return length;
  };
  for (const ArcId arc : topology.arcs_from(root)) out.order = std::max(out.order, cycle(arc));
  for (const ArcId arc : topology.arcs_from(root)) {
    if (cycle(arc) != out.order) return std::nullopt;
  }
  for (const ArcId arc : topology.arcs()) {
    if (out.order % cycle(arc) != 0) return std::nullopt;
  }
  if (out.order == 1) return std::nullopt;
  return out;
}

// Coordinates in the group of a torus, turned: those of dimension i go to dimension i + 1, and from the last to
// the first with the sign changed or not.
NodeMap turned(const TorusShape& torus, uint32_t root, bool changes_sign) {
  return [&torus, root, changes_sign](uint32_t v) {
    const size_t d = torus.sides.size();
    uint32_t out = 0;
    for (size_t i = 0; i < d; ++i) {
      const uint32_t side = torus.sides[i];
      const auto at = [&](uint32_t node) { return node / torus.strides[i] % side; };
      const uint32_t offset = (at(v) + side - at(root)) % side;
      const size_t to = (i + 1) % d;
      const uint32_t there = root / torus.strides[to] % side;
      const uint32_t turned = to == 0 && changes_sign ? side - offset : offset;
      out += (there + turned) % side * torus.strides[to];
    }
    return out;
  };
}

}  // namespace

std::vector<TreeSymmetry> symmetries_about(const Topology& topology, NodeId root) {
  std::vector<TreeSymmetry> out;
  const auto offer = [&](const NodeMap& map) {
    if (auto symmetry = checked(topology, root, map)) out.push_back(*std::move(symmetry));
  };
  const auto at = static_cast<uint32_t>(index(root));
  const uint32_t nodes = topology.num_nodes();
  if (is_complete(topology) && nodes > 2) {
    offer([&](uint32_t v) {  // all others in a circle
      const uint32_t next = (v + 1) % nodes;
      return v == at ? v : next == at ? (v + 2) % nodes : next;
    });
  }
  if (const auto torus = as_torus(topology);
      torus && std::ranges::all_of(torus->sides, [&](uint32_t side) { return side == torus->sides[0]; })) {
    offer(turned(*torus, at, true));
    offer(turned(*torus, at, false));
  }
  if (const CayleyStructure* cayley = topology.cayley(); cayley != nullptr && cayley->group->is_abelian()) {
    const uint32_t twice = cayley->group->multiply(at, at);
    offer([&](uint32_t v) { return cayley->group->multiply(twice, cayley->group->inverse(v)); });
  }
  std::ranges::stable_sort(out, std::greater<>{}, &TreeSymmetry::order);
  TreeSymmetry identity;
  for (const ArcId arc : topology.arcs()) identity.image.push_back(arc);
  out.push_back(std::move(identity));
  return out;
}

}  // namespace quadrille
