#include "quadrille/topology/queries/recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/topology/queries/isomorphism.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace recognition_parts {
namespace {

constexpr uint32_t kMostNodes = 512;
constexpr uint32_t kMostInPetersen = 128;

using Sides = std::vector<uint32_t>;

// All ways to write a number as a product of rising sides.
void factor(uint32_t number, uint32_t least, Sides& so_far, std::vector<Sides>& out) {
  for (uint32_t side = least; uint64_t{side} * side <= number; ++side) {
    if (number % side != 0) continue;
    so_far.push_back(side);
    factor(number / side, side, so_far, out);
    so_far.pop_back();
  }
  if (number < least) return;
  so_far.push_back(number);
  out.push_back(so_far);
  so_far.pop_back();
}

uint64_t arcs_of(std::string_view family, const Sides& sides) {
  uint64_t nodes = 1;
  for (const uint32_t side : sides) nodes *= side;
  uint64_t out = 0;
  for (const uint32_t side : sides) {
    if (family == "mesh") out += nodes / side * 2 * (side - 1);
    if (family == "torus") out += nodes * (side == 2 ? 1 : 2);
    if (family == "generalized_hypercube") out += nodes * (side - 1);
  }
  return out;
}

void add_products(const Topology& topology, std::vector<std::string>& specs) {
  std::vector<Sides> all;
  Sides so_far;
  factor(topology.num_nodes(), 2, so_far, all);
  for (const std::string_view family : {"torus", "mesh", "generalized_hypercube"})
    for (const Sides& sides : all)
      if (arcs_of(family, sides) == topology.num_arcs())
        specs.push_back(fmt::format("{}({})", family, fmt::join(sides, ",")));
}

// Families whose members of so many nodes are few, by the degree that all nodes have.
void add_regular(uint64_t nodes, uint64_t degree, std::vector<std::string>& specs) {
  uint64_t permutations = 2;
  for (uint64_t n = 3; permutations < nodes; ++n) {
    permutations *= n;
    if (permutations != nodes || degree != n - 1) continue;
    specs.push_back(fmt::format("star({})", n));
    specs.push_back(fmt::format("pancake({})", n));
  }
  for (uint64_t d = 3; (d << d) <= nodes; ++d) {
    if ((d << d) != nodes) continue;
    if (degree == 3) specs.push_back(fmt::format("cube_connected_cycles({})", d));
    if (degree == 4) specs.push_back(fmt::format("butterfly({})", d));
  }
  if (degree == 3 && nodes % 2 == 0 && nodes <= kMostInPetersen)
    for (uint64_t k = 1; 2 * k < nodes / 2; ++k)
      specs.push_back(fmt::format("generalized_petersen({},{})", nodes / 2, k));
  // Only powers of primes have a graph; the others are no spec.
  for (const uint64_t q : {3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U})
    if (2 * q * q == nodes && 2 * degree + (q % 4 == 1 ? 1 : 0) == 3 * q + (q % 4 == 3 ? 1 : 0))
      specs.push_back(fmt::format("slim_fly({})", q));
  for (uint64_t a = 2; a < nodes; ++a)
    for (uint64_t h = 1; a * (a * h + 1) <= nodes; ++h)
      if (a * (a * h + 1) == nodes && degree == a - 1 + h)
        specs.push_back(fmt::format("dragonfly(0,{},{})", a, h));
}

// A tree of which every level has nodes of one kind: arities and capacities, leaves first.
void add_trees(const Topology& topology, std::vector<std::string>& specs) {
  if (topology.num_arcs() != 2 * (topology.num_nodes() - 1)) return;
  std::vector<uint32_t> level(topology.num_nodes(), UINT32_MAX);
  std::vector<NodeId> reached;
  for (const NodeId v : topology.nodes()) {
    if (topology.out_degree(v) != 1) continue;
    level[index(v)] = 0;
    reached.push_back(v);
  }
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const ArcId arc : topology.arcs_from(reached[i])) {
      if (level[index(topology.head(arc))] != UINT32_MAX) continue;
      level[index(topology.head(arc))] = level[index(reached[i])] + 1;
      reached.push_back(topology.head(arc));
    }
  }
  if (reached.size() < 3) return;
  const uint32_t height = level[index(reached.back())];
  if (height == 0) return;
  std::vector<uint64_t> width(height + 1, 0);
  std::vector<uint32_t> capacity(height, 0);
  for (const NodeId v : topology.nodes()) ++width[level[index(v)]];
  for (const ArcId arc : topology.arcs()) {
    const uint32_t low = std::min(level[index(topology.tail(arc))], level[index(topology.head(arc))]);
    if (low < height) capacity[low] = topology.capacity(arc);
  }
  Sides arity;
  for (uint32_t l = 0; l < height; ++l) {
    if (width[l + 1] == 0 || width[l] % width[l + 1] != 0) return;
    arity.push_back(static_cast<uint32_t>(width[l] / width[l + 1]));
    if (arity.back() < 2) return;
    if (l > 0 && capacity[l] < capacity[l - 1]) return;
  }
  if (topology.has_routers()) {
    specs.push_back(fmt::format("fat_tree({};{})", fmt::join(arity, ","), fmt::join(capacity, ",")));
  } else {
    specs.push_back(fmt::format("tree({})", fmt::join(arity, ",")));
  }
}

}  // namespace
}  // namespace recognition_parts

std::vector<Recognised> recognised_as(const Topology& topology) {
  namespace parts = recognition_parts;
  std::vector<Recognised> out;
  const uint32_t nodes = topology.num_nodes();
  if (topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr ||
      topology.is_directed() || nodes < 2 || nodes > parts::kMostNodes)
    return out;
  std::vector<std::string> specs;
  if (!topology.has_routers()) {
    parts::add_products(topology, specs);
    const uint32_t degree = topology.out_degree(NodeId{0});
    const auto tails = topology.tails();
    const bool regular =
        std::ranges::all_of(tails, [&](NodeId v) { return topology.out_degree(v) == degree; });
    if (regular) parts::add_regular(nodes, degree, specs);
  }
  parts::add_trees(topology, specs);
  // The fewest parameters tell most.
  std::ranges::stable_sort(specs, {}, [](const std::string& spec) { return std::ranges::count(spec, ','); });
  for (const std::string& spec : specs) {
    Topology known = parse_topology(spec);
    if (known.name() == topology.name()) continue;
    std::optional<std::vector<NodeId>> image = find_isomorphism(known, topology);
    if (image) out.push_back({std::move(known), *std::move(image)});
  }
  return out;
}

}  // namespace quadrille
