#include "quadrille/topology/transposed.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/topology/products/outline.h"

namespace quadrille {
namespace {

bool is_alike_both_ways(const Topology& topology) {
  if (topology.is_directed()) return false;
  if (topology.is_outline()) return std::ranges::all_of(topology.product()->factors, is_alike_both_ways);
  const std::span<const uint32_t> capacities = topology.capacities();
  if (topology.capacity_range().first == topology.capacity_range().second) return true;
  for (const ArcId arc : topology.arcs()) {
    if (capacities[index(arc)] != capacities[index(topology.reverse(arc))]) return false;
  }
  return true;
}

}  // namespace

Topology transposed(const Topology& topology) {
  if (is_alike_both_ways(topology)) return topology;
  std::string name = fmt::format("transposed({})", topology.name());
  if (topology.is_outline()) {
    std::vector<Topology> factors;
    for (const Topology& factor : topology.product()->factors) factors.push_back(transposed(factor));
    return product_outline(std::move(name), factors);
  }
  TopologyBuilder builder(std::move(name), topology.num_nodes());
  builder.reserve_arcs(topology.num_arcs());
  for (const ArcId arc : topology.arcs())
    builder.arc(topology.head(arc), topology.tail(arc), topology.capacity(arc));
  const std::span<const NodeId> endpoints = topology.endpoints();
  builder.endpoints({endpoints.begin(), endpoints.end()});
  std::vector<std::string> labels;
  for (const NodeId v : topology.nodes()) labels.push_back(topology.label(v));
  builder.labels(std::move(labels));
  if (const ProductStructure* product = topology.product()) {
    std::vector<Topology> factors;
    for (const Topology& factor : product->factors) factors.push_back(transposed(factor));
    builder.product(std::move(factors));
  }
  return builder.build();
}

std::vector<ArcId> turned_arcs(const Topology& topology, const Topology& turned) {
  std::vector<ArcId> out(topology.num_arcs());
  for (const ArcId arc : topology.arcs()) {
    const std::optional<ArcId> back = turned.find_arc(topology.head(arc), topology.tail(arc));
    QUADRILLE_CHECK(back.has_value(), topology.name());
    out[index(arc)] = *back;
  }
  return out;
}

}  // namespace quadrille
