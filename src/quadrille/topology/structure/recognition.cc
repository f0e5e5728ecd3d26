#include "quadrille/topology/structure/recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/topology/structure/factorisation.h"
#include "quadrille/topology/structure/isomorphism.h"
#include "quadrille/topology/structure/regular_subgroup.h"
#include "quadrille/topology/structure/switched_specs.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace recognition_parts {
namespace {

constexpr uint32_t kMostNodes = 512;
constexpr uint32_t kMostInPetersen = 128;
constexpr uint32_t kMostWithSwitches = 2'048;

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

// How many nodes the prime factors of a member have.
Sides primes_of(std::string_view family, const Sides& sides) {
  Sides out;
  for (const uint32_t side : sides) {
    if (family == "torus" && side == 4) {
      out.insert(out.end(), 2, 2);
    } else {
      out.push_back(side);
    }
  }
  std::ranges::sort(out);
  return out;
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

std::string spec_of(std::string_view family, const Sides& sides) {
  if (sides.size() > 1) return fmt::format("{}({})", family, fmt::join(sides, ","));
  if (sides[0] == 2 || family == "mesh") return fmt::format("line({})", sides[0]);
  return fmt::format("{}({})", family == "torus" ? "ring" : "complete", sides[0]);
}

// Lines, rings and complete graphs crossed, of which the prime factors are as large as ours.
void add_products(const Topology& topology, const Factorisation& ours, std::vector<std::string>& specs) {
  Sides primes;
  for (const Topology& factor : ours.factors) primes.push_back(factor.num_nodes());
  std::vector<Sides> all;
  Sides so_far;
  factor(topology.num_nodes(), 2, so_far, all);
  for (const std::string_view family : {"torus", "mesh", "generalized_hypercube"})
    for (const Sides& sides : all)
      if (arcs_of(family, sides) == topology.num_arcs() && primes_of(family, sides) == primes)
        if (std::string spec = spec_of(family, sides); std::ranges::find(specs, spec) == specs.end())
          specs.push_back(std::move(spec));
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

// A factor as a spec says it, and which of its nodes is which of the factor's; a pair of two nodes each is a ring of four.
struct Part {
  std::string spec;
  std::vector<std::vector<uint32_t>> coordinates;  // of its nodes in turn, in the factors that it stands for
  std::vector<size_t> factors;
};

// "0 1, 1 2"; nothing where links differ by direction or there are routers: such words could not say so.
std::optional<std::string> in_words(const Topology& topology) {
  if (topology.has_routers() || topology.is_directed()) return std::nullopt;
  std::string out = "edges(\"";
  for (const ArcId arc : topology.arcs()) {
    if (topology.capacity(arc) != topology.capacity(topology.reverse(arc))) return std::nullopt;
    if (topology.head(arc) < topology.tail(arc)) continue;
    if (!out.ends_with('"')) out += ", ";
    out += fmt::format("{} {}", index(topology.tail(arc)), index(topology.head(arc)));
    if (topology.capacity(arc) != 1) out += fmt::format(" {}", topology.capacity(arc));
  }
  return out + "\")";
}

std::optional<Part> part_for(const Topology& factor, size_t number) {
  Part out;
  out.factors.assign(1, number);
  const std::vector<Recognised> known = recognised_as(factor);
  if (!known.empty()) {
    out.spec = known.front().topology.name();
    for (const NodeId node : known.front().image)
      out.coordinates.push_back({static_cast<uint32_t>(index(node))});
    return out;
  }
  const std::optional<std::string> words = in_words(factor);
  if (!words) return std::nullopt;
  out.spec = *words;
  for (const NodeId node : factor.nodes()) out.coordinates.push_back({static_cast<uint32_t>(index(node))});
  return out;
}

std::vector<Part> with_rings_of_four(const std::vector<Part>& parts) {
  std::vector<Part> out;
  for (const Part& part : parts) {
    if (part.spec == "line(2)" && !out.empty() && out.back().spec == "line(2)") {
      out.back() = {"ring(4)", {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {out.back().factors[0], part.factors[0]}};
    } else {
      out.push_back(part);
    }
  }
  return out;
}

Recognised product_of(const Topology& topology, const Factorisation& ours, const std::vector<Part>& parts) {
  const size_t count = ours.factors.size();
  std::vector<std::string> specs;
  for (const Part& part : parts) specs.push_back(part.spec);
  Recognised out{parse_topology(fmt::format("product({})", fmt::join(specs, ","))), {}, false};
  std::vector<uint32_t> stride(count, 1);
  for (size_t i = count - 1; i > 0; --i) stride[i - 1] = stride[i] * ours.factors[i].num_nodes();
  std::vector<NodeId> at(topology.num_nodes());
  for (const NodeId v : topology.nodes()) {
    uint32_t place = 0;
    for (size_t i = 0; i < count; ++i) place += stride[i] * ours.coordinate(v, i);
    at[place] = v;
  }
  // The places of all nodes, one coordinate more at a time: the last one is the fastest.
  std::vector<uint32_t> places{0};
  for (const Part& part : parts) {
    std::vector<uint32_t> longer;
    longer.reserve(places.size() * part.coordinates.size());
    for (const uint32_t place : places) {
      for (const std::vector<uint32_t>& coordinates : part.coordinates) {
        uint32_t there = place;
        for (size_t k = 0; k < coordinates.size(); ++k) there += stride[part.factors[k]] * coordinates[k];
        longer.push_back(there);
      }
    }
    places = std::move(longer);
  }
  for (const uint32_t place : places) out.image.push_back(at[place]);
  return out;
}

void add_product(const Topology& topology, const Factorisation& ours, std::vector<Recognised>& out) {
  std::vector<Part> parts;
  for (size_t i = 0; i < ours.factors.size(); ++i) {
    std::optional<Part> part = part_for(ours.factors[i], i);
    if (!part) return;
    parts.push_back(std::move(*part));
  }
  const std::vector<Part> fewer = with_rings_of_four(parts);
  if (fewer.size() < parts.size()) out.push_back(product_of(topology, ours, fewer));
  out.push_back(product_of(topology, ours, parts));
}

}  // namespace
}  // namespace recognition_parts

bool has_plans_of_its_own(const Topology& topology) {
  return topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr;
}

std::vector<Recognised> recognised_as(const Topology& topology) {
  namespace parts = recognition_parts;
  std::vector<Recognised> out;
  const uint32_t nodes = topology.num_nodes();
  if (has_plans_of_its_own(topology) || topology.is_directed() || nodes < 2 || nodes > kMostNodesToFactor)
    return out;
  const Factorisation ours = prime_factors(topology);
  std::vector<std::string> specs;
  if (!topology.has_routers()) {
    if (ours.factors.size() > 1 || nodes <= parts::kMostNodes) parts::add_products(topology, ours, specs);
    const uint32_t degree = topology.out_degree(NodeId{0});
    const auto tails = topology.tails();
    const bool regular =
        std::ranges::all_of(tails, [&](NodeId v) { return topology.out_degree(v) == degree; });
    if (regular && nodes <= parts::kMostNodes) parts::add_regular(nodes, degree, specs);
  }
  if (nodes <= parts::kMostNodes) parts::add_trees(topology, specs);
  if (topology.has_routers() && specs.empty() && nodes <= parts::kMostWithSwitches)
    specs = switched_specs(topology);
  // The fewest parameters tell most.
  std::ranges::stable_sort(specs, {}, [](const std::string& spec) { return std::ranges::count(spec, ','); });
  bool has_structure = false;
  bool is_named = false;  // of two names without a structure the first is the one that counts
  for (const std::string& spec : specs) {
    Topology known = parse_topology(spec);
    is_named = is_named || known.name() == topology.name();
    if (known.name() == topology.name()) continue;
    const bool is_structured = has_plans_of_its_own(known);
    if (is_named && !is_structured) continue;
    std::optional<std::vector<NodeId>> image = find_isomorphism(known, topology);
    if (!image) continue;
    has_structure = has_structure || is_structured;
    out.push_back({std::move(known), *std::move(image), true});
  }
  if (has_structure) return out;
  if (ours.factors.size() > 1) {
    parts::add_product(topology, ours, out);
  } else if (std::optional<CayleyForm> form = cayley_form(topology)) {
    out.push_back({std::move(form->topology), std::move(form->image), false});
  }
  return out;
}

}  // namespace quadrille
