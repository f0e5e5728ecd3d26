#include "quadrille/topology/products/cartesian_product.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/cayley/direct_product_group.h"

namespace quadrille {
namespace {

// Embeds the factors' generators into the direct product: the stride of a dimension times the element.
std::vector<uint32_t> embed_generators(const std::vector<Topology>& factors) {
  std::vector<uint32_t> generators;
  uint32_t stride = 1;
  for (size_t i = factors.size(); i-- > 0;) {
    for (const uint32_t g : factors[i].cayley()->generators) generators.push_back(g * stride);
    stride *= factors[i].num_nodes();
  }
  return generators;
}

std::vector<Topology> flatten(const std::vector<Topology>& factors) {
  std::vector<Topology> flat;
  for (const Topology& factor : factors) {
    if (const ProductStructure* inner = factor.product()) {
      flat.insert(flat.end(), inner->factors.begin(), inner->factors.end());
    } else {
      flat.push_back(factor);
    }
  }
  return flat;
}

}  // namespace

Topology cartesian_product(std::string name, const std::vector<Topology>& given) {
  const std::vector<Topology> factors = flatten(given);
  uint64_t nodes = 1;
  uint64_t arcs = 0;
  for (const Topology& factor : factors) {
    // Both stay below 2^64: each factor is below 2^32, and the sizes are checked before they can grow
    // further.
    arcs = arcs * factor.num_nodes() + nodes * factor.num_arcs();
    nodes *= factor.num_nodes();
    if (nodes >= kMaxIds || arcs >= kMaxIds) {
      throw InputError(
          fmt::format("{} has too many nodes or links: at most {} can be numbered", name, kMaxIds - 1));
    }
  }
  TopologyBuilder builder(std::move(name), nodes);
  builder.reserve_arcs(arcs);
  uint64_t stride = nodes;
  for (const Topology& factor : factors) {
    const uint64_t block = stride;
    stride /= factor.num_nodes();
    for (uint64_t base = 0; base < nodes; base += block) {
      for (const ArcId arc : factor.arcs()) {
        const uint64_t tail = base + index(factor.tail(arc)) * stride;
        const uint64_t head = base + index(factor.head(arc)) * stride;
        for (uint64_t inner = 0; inner < stride; ++inner) {
          builder.arc(id_at<NodeId>(tail + inner), id_at<NodeId>(head + inner), factor.capacity(arc));
        }
      }
    }
  }
  if (std::any_of(factors.begin(), factors.end(), [](const Topology& f) { return f.has_routers(); })) {
    std::vector<NodeId> endpoints{NodeId{0}};
    for (const Topology& factor : factors) {
      std::vector<NodeId> longer;
      longer.reserve(endpoints.size() * factor.num_endpoints());
      for (const NodeId prefix : endpoints) {
        for (const NodeId e : factor.endpoints()) {
          longer.push_back(id_at<NodeId>(index(prefix) * factor.num_nodes() + index(e)));
        }
      }
      endpoints = std::move(longer);
    }
    builder.endpoints(std::move(endpoints));
  }
  builder.product(factors);
  if (std::all_of(factors.begin(), factors.end(), [](const Topology& f) { return f.cayley() != nullptr; })) {
    std::vector<std::shared_ptr<const Group>> groups;
    for (const Topology& factor : factors) groups.push_back(factor.cayley()->group);
    builder.also_cayley(direct_product(std::move(groups)), embed_generators(factors));
  }
  return builder.build();
}

}  // namespace quadrille
